import { win32 } from 'node:path';
import { decodeText } from '../../cni/text.ts';
import { fileProblem, isMissingFile } from '../terminal/files.ts';
import { type Fact, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import {
  type ContainerdCommands,
  containerdCommands,
  findConfigPath,
  findGivenConfigPath,
} from './commands.ts';
import { type CniFolders, type ContainerdConfig, defaultFolders, parseConfig } from './config.ts';

/** The containerd of this node. */
export interface Containerd {
  readonly commands: Fact<ContainerdCommands>;
  /** The path of its configuration; the default path if no command line names another. */
  readonly path: string;
  readonly config: Fact<ContainerdConfig>;
  /** Whether there is no file at `path`. */
  readonly isConfigMissing: boolean;
  /** Default folders if the configuration cannot be read. */
  readonly folders: CniFolders;
}

/** Whether containerd's folders are read from its configuration, not assumed. */
export function areFoldersCertain(containerd: Containerd): boolean {
  const { commands, config } = containerd;
  const isRead = 'value' in commands && 'value' in config && config.value.problem === undefined;
  return isRead || usesDefaults(containerd);
}

/** Whether containerd has no configuration: no command line names one, and there is none at the default path. */
export function usesDefaults({ commands, isConfigMissing }: Containerd): boolean {
  if (!isConfigMissing || 'error' in commands) return false;
  return findGivenConfigPath(commands.value.commandLines) === undefined;
}

type Files = Pick<Terminal, 'readFile' | 'listFolder'>;

/**
 * Reads the configuration of this node's containerd; that it imports another file is a problem. Never rejects. `deciding`: the command
 * lines that can name the configuration.
 */
export async function readContainerd(
  terminal: Files & Pick<Terminal, 'powershell'>,
  deciding: 'commandLines' | 'serviceCommandLines' = 'commandLines',
): Promise<Containerd> {
  const commands = await runQuery(terminal, containerdCommands);
  const path = findConfigPath('value' in commands ? commands.value[deciding] : []);
  try {
    const read = parseConfig(decodeText(terminal.readFile(path)));
    const imported = read.imports.find((one) => isImported(one, path, terminal));
    const problem = imported && `the import ${imported} can set other folders, and win-hcn does not read it`;
    const value = { ...read, ...(problem !== undefined && { problem }) };
    return { commands, path, config: { value }, isConfigMissing: false, folders: value.folders };
  } catch (cause) {
    const place = cause instanceof Error && 'line' in cause ? `line ${cause.line}: ` : '';
    const error = `${place}${fileProblem(cause).split('\n')[0]}`;
    return {
      commands,
      path,
      config: { error },
      isConfigMissing: isMissingFile(cause),
      folders: defaultFolders,
    };
  }
}

/** Whether an import of a configuration may be a file. One with `*` is a pattern, which may match nothing. */
function isImported(imported: string, path: string, { listFolder }: Files): boolean {
  const full = /^([A-Za-z]:|[\\/])/.test(imported) ? imported : joinPath(parentFolder(path), imported);
  const folder = parentFolder(full);
  try {
    return folder.includes('*') || listFolder(folder).some((name) => win32.matchesGlob(name, fileName(full)));
  } catch (error) {
    return !isMissingFile(error);
  }
}
