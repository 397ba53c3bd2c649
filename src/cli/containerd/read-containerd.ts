import { win32 } from 'node:path';
import { decodeText } from '../../cni/text.ts';
import { fileProblem, isMissingFile } from '../terminal/files.ts';
import { type Fact, factFrom, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { type ContainerdCommands, containerdCommands, findConfigPath } from './commands.ts';
import {
  type CniFolders,
  type ConfigPart,
  type ContainerdConfig,
  combineConfig,
  defaultFolders,
  parseConfigPart,
} from './config.ts';

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
export function areFoldersCertain({ commands, config }: Containerd): boolean {
  return 'value' in commands && 'value' in config;
}

type Files = Pick<Terminal, 'readFile' | 'listFolder'>;

/**
 * Reads the configuration of this node's containerd, with its imports. Never rejects. `deciding`: the command lines that can name the
 * configuration.
 */
export async function readContainerd(
  terminal: Files & Pick<Terminal, 'powershell'>,
  deciding: 'commandLines' | 'serviceCommandLines' = 'commandLines',
): Promise<Containerd> {
  const commands = await runQuery(terminal, containerdCommands);
  const path = findConfigPath('value' in commands ? commands.value[deciding] : []);
  const config = await factFrom(readConfig(path, terminal));
  const folders = 'value' in config ? config.value.folders : defaultFolders;
  return { path, commands, config, isConfigMissing: isMissing(path, terminal), folders };
}

function isMissing(path: string, { readFile }: Files): boolean {
  try {
    readFile(path);
    return false;
  } catch (error) {
    return isMissingFile(error);
  }
}

/** Reads each file once, the imports after all files that are already listed, as containerd does. */
async function readConfig(path: string, files: Files): Promise<ContainerdConfig> {
  const main = readPart(path, files);
  const imported = new Map<string, ConfigPart>();
  const pending = [...findImports(path, main, files)];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (next === path || imported.has(next)) continue;
    const part = readPart(next, files, `import ${next}: `);
    imported.set(next, part);
    pending.push(...findImports(next, part, files));
  }
  return combineConfig(main, [...imported.values()]);
}

function readPart(path: string, { readFile }: Files, prefix = ''): ConfigPart {
  try {
    return parseConfigPart(decodeText(readFile(path)));
  } catch (cause) {
    const place = cause instanceof Error && 'line' in cause ? `line ${cause.line}: ` : '';
    throw new Error(`${prefix}${place}${fileProblem(cause).split('\n')[0]}`, { cause });
  }
}

/** The files that a file imports. Only a path with `*` is a pattern, which may match nothing. */
function findImports(path: string, { imports }: ConfigPart, { listFolder }: Files): readonly string[] {
  return imports.flatMap((imported) => {
    const full = /^([A-Za-z]:|[\\/])/.test(imported) ? imported : joinPath(parentFolder(path), imported);
    if (!full.includes('*')) return [full];
    const folder = parentFolder(full);
    if (folder.includes('*')) throw new Error(`import ${full}: win-hcn cannot read patterns of folders`);
    try {
      const names = listFolder(folder).filter((name) => win32.matchesGlob(name, fileName(full)));
      return names.toSorted().map((name) => joinPath(folder, name));
    } catch (cause) {
      if (isMissingFile(cause)) return [];
      throw new Error(`import ${full}: ${fileProblem(cause)}`, { cause });
    }
  });
}
