import { errorMessage } from '../../../cni/error.ts';
import { decodeText } from '../../../cni/text.ts';
import { isObject } from '../../../json/members.ts';
import type { Terminal } from '../../terminal.ts';
import { type Containerd, factFrom } from '../facts.ts';
import { type Query, runQuery } from '../powershell.ts';
import { fileName, joinPath, parentFolder } from '../windows-path.ts';
import {
  type ContainerdConfig,
  defaultFolders,
  findConfigPath,
  readContainerdConfig,
} from './containerd-config.ts';

/** How containerd is started on this node. */
export interface ContainerdCommands {
  /** Whether there is a service `containerd`. A distribution may start containerd as a process instead. */
  readonly isService: boolean;
  readonly isRunning: boolean;
  /** The service's first. Windows shows the command lines of other accounts' processes to administrators only. */
  readonly commandLines: readonly string[];
}

export const containerdCommands: Query<ContainerdCommands> = {
  script: `
$services = @(Get-CimInstance Win32_Service -Filter "Name='containerd'" | ForEach-Object { "$($_.PathName)" })
$processes = @(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'" | ForEach-Object { "$($_.CommandLine)" })
ConvertTo-Json -Compress @{ services = $services; processes = $processes }`,
  read: (output) => {
    const [services, processes] = [
      output.read('services', 'a list of strings'),
      output.read('processes', 'a list of strings'),
    ];
    return {
      isService: services.length > 0,
      isRunning: processes.length > 0,
      commandLines: [...services, ...processes].filter(Boolean),
    };
  },
};

/** Reads the configuration of this node's containerd. */
export async function readContainerd(terminal: Terminal): Promise<Containerd> {
  const commands = await runQuery(terminal, containerdCommands);
  const path = findConfigPath('value' in commands ? commands.value.commandLines : []);
  const config = await factFrom(readConfig(path, terminal));
  return { path, commands, config, folders: 'value' in config ? config.value.folders : defaultFolders };
}

async function readConfig(path: string, terminal: Terminal): Promise<ContainerdConfig> {
  try {
    const config = readContainerdConfig(decodeText(terminal.readFile(path)));
    const folder = parentFolder(path);
    return { ...config, imports: config.imports.filter((one) => mayMatchFile(one, folder, terminal)) };
  } catch (error) {
    throw new Error(errorMessage(error).split('\n')[0], { cause: error });
  }
}

/** Whether an import, a path or pattern relative to the configuration's folder, matches a file; true if that cannot be ruled out. */
function mayMatchFile(imported: string, folder: string, { listFolder }: Terminal): boolean {
  const path = /^([A-Za-z]:|[\\/])/.test(imported) ? imported : joinPath(folder, imported);
  const ending = fileName(path).replace(/^.*[*?\]]/, '');
  try {
    return listFolder(parentFolder(path)).some((name) => name.endsWith(ending));
  } catch (error) {
    return !isObject(error) || error['code'] !== 'ENOENT' || /[*?[]/.test(parentFolder(path));
  }
}
