import { CniError, code } from '../cni/error.ts';

/** Where plugins are looked for, and how to tell that one is there. */
export interface PluginPath {
  /** CNI_PATH: folders joined by `;` on Windows, by `:` elsewhere. */
  readonly cniPath: string | undefined;
  readonly windows: boolean;
  readonly isFile: (path: string) => boolean;
}

/**
 * The executable of a plugin: `<type>.exe`, then `<type>`, in each folder of CNI_PATH and nowhere else. An entry that depends on
 * the working directory or leads to another machine is passed over.
 * Throws code 4 when CNI_PATH is missing, code 7 when no folder has it. `type` is a bare name, checked with the configuration.
 */
export function locatePlugin(type: string, { cniPath, windows, isFile }: PluginPath): string {
  if (cniPath === undefined || cniPath === '') {
    throw new CniError(
      code.invalidEnvironment,
      `CNI_PATH is missing, expected the folders to find IPAM plugin "${type}" in`,
    );
  }
  const entries = (windows ? splitWindows(cniPath) : cniPath.split(':')).filter((entry) => entry !== '');
  const isLocal = windows ? isLocalOnWindows : (entry: string) => entry.startsWith('/');
  const folders = entries.filter(isLocal);
  const names = windows ? [`${type}.exe`, type] : [type];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name, windows)));
  const path = candidates.find(isFile);
  if (path === undefined) {
    const passedOver = entries
      .filter((entry) => !isLocal(entry))
      .map((entry) => `; ${entry} is no local absolute path`);
    throw new CniError(code.invalidConfig, `IPAM plugin "${type}" is in no folder of CNI_PATH ${cniPath}`, {
      details: [`looked for ${candidates.join(', ') || 'nothing'}`, ...passedOver].join(''),
    });
  }
  return path;
}

/** Windows has lists joined by `;`, and quotes around what has one in its name. */
function splitWindows(list: string): readonly string[] {
  const folders = list.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  return folders.map((folder) => folder.replaceAll('"', ''));
}

/** `C:\x`, or `\x` on the drive we run on; neither `x`, `C:x` nor `\\server\x`. */
function isLocalOnWindows(folder: string): boolean {
  return /^(?:[a-z]:)?[\\/](?![\\/])/i.test(folder);
}

function join(folder: string, name: string, windows: boolean): string {
  const separated = folder.endsWith('/') || (windows && folder.endsWith('\\'));
  return separated ? `${folder}${name}` : `${folder}${windows ? '\\' : '/'}${name}`;
}
