import { decodeText } from '../../../cni/text.ts';
import { isObject } from '../../../json/members.ts';
import type { Terminal } from '../../terminal.ts';
import { type ContainerdConfig, defaultFolders, readContainerdConfig } from '../containerd/cni-folders.ts';
import { configPathIn } from '../containerd/config-path.ts';
import { factOf } from '../fact.ts';
import type { Containerd } from '../facts.ts';
import { folderOf, inFolder, nameOf } from '../paths.ts';
import { askContainerdCommands } from './containerd-commands.ts';

/** Reads the configuration of the containerd that runs here, or the one that would. */
export async function readContainerd(terminal: Terminal): Promise<Containerd> {
  const commands = await askContainerdCommands(terminal);
  const path = configPathIn('known' in commands ? commands.known.commandLines : []);
  const config = await factOf(readConfig(path, terminal));
  return { path, commands, config, folders: 'known' in config ? config.known.folders : defaultFolders };
}

async function readConfig(path: string, terminal: Terminal): Promise<ContainerdConfig> {
  try {
    const config = readContainerdConfig(decodeText(terminal.readFile(path)));
    return { ...config, imports: config.imports.filter((one) => leadsToFile(one, folderOf(path), terminal)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(reason.split('\n')[0], { cause: error });
  }
}

/** Whether an import, a path from the configuration's folder that may have stars, has a file, for all anybody knows. */
function leadsToFile(imported: string, folder: string, { listFolder }: Terminal): boolean {
  const path = /^([A-Za-z]:|[\\/])/.test(imported) ? imported : inFolder(folder, imported);
  const ending = nameOf(path).replace(/^.*[*?\]]/, '');
  try {
    return listFolder(folderOf(path)).some((name) => name.endsWith(ending));
  } catch (error) {
    return !isObject(error) || error['code'] !== 'ENOENT' || /[*?[]/.test(folderOf(path));
  }
}
