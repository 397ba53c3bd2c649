import { CniError, code } from '../cni/error.ts';

/** Where to look for a plugin: CNI_PATH, and how to find out whether a file exists. */
export interface PluginPath {
  /** CNI_PATH: folders joined by `;` on Windows, by `:` elsewhere. */
  readonly cniPath: string | undefined;
  readonly windows: boolean;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds the executable of a plugin: `<type>.exe`, then `<type>`, in each folder of CNI_PATH and nowhere else. Relative entries and
 * entries on other machines are skipped. `type` is a bare name, checked with the configuration.
 * Throws code 4 if CNI_PATH is missing, code 7 if no folder has the plugin.
 */
export function locatePlugin(type: string, { cniPath, windows, isFile }: PluginPath): string {
  if (cniPath === undefined || cniPath === '') {
    throw new CniError(
      code.invalidEnvironment,
      `CNI_PATH is missing, expected the folders that contain IPAM plugin "${type}"`,
    );
  }
  const entries = (windows ? splitWindows(cniPath) : cniPath.split(':')).filter((entry) => entry !== '');
  // `C:\x`, or `\x` on the current drive; not `x`, `C:x` or `\\server\x`.
  const local = windows ? /^(?:[a-z]:)?[\\/](?![\\/])/i : /^\//;
  const isLocal = (entry: string) => local.test(entry);
  const folders = entries.filter(isLocal);
  const names = windows ? [`${type}.exe`, type] : [type];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name, windows)));
  const path = candidates.find(isFile);
  if (path === undefined) {
    const skipped = entries
      .filter((entry) => !isLocal(entry))
      .map((entry) => `; ${entry} is not a local absolute path`);
    throw new CniError(
      code.invalidConfig,
      `IPAM plugin "${type}" is not in any folder of CNI_PATH ${cniPath}`,
      {
        details: [`checked ${candidates.join(', ') || 'no file'}`, ...skipped].join(''),
      },
    );
  }
  return path;
}

/** On Windows the separator is `;`, and quotes surround a folder that contains it. */
function splitWindows(list: string): readonly string[] {
  const folders = list.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  return folders.map((folder) => folder.replaceAll('"', ''));
}

function join(folder: string, name: string, windows: boolean): string {
  const separated = folder.endsWith('/') || (windows && folder.endsWith('\\'));
  return separated ? `${folder}${name}` : `${folder}${windows ? '\\' : '/'}${name}`;
}
