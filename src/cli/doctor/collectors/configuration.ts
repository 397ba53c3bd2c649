import { readIpamType, readLogFile } from '../../../config/essential-keys.ts';
import { openConfig } from '../../../config/open-config.ts';
import { isObject } from '../../../json/members.ts';
import type { ListedPlugin } from '../../plugin-list.ts';
import type { Session } from '../../session.ts';
import type { Terminal } from '../../terminal.ts';
import { checkPlugin } from '../../validate/check-plugin.ts';
import type { CniFolders } from '../containerd/cni-folders.ts';
import { type ConfFile, confNames, readConfFile } from '../containerd/conf-file.ts';
import { ownerOfType, type Programs } from '../containerd/conf-owner.ts';
import { type Fact, factOf } from '../fact.ts';
import type { Configuration, LogFacts } from '../facts.ts';
import { folderOf, inFolder, nameOf } from '../paths.ts';

/** The files of the runtime's folder that count as configurations, in their order. */
export function readConfFolder(
  folder: string,
  {
    terminal,
    system,
  }: { readonly terminal: Terminal; readonly system: Pick<Session['system'], 'executable'> },
): Promise<Fact<readonly ConfFile[]>> {
  const read = async () =>
    confNames(terminal.listFolder(folder)).flatMap((name) => {
      const path = inFolder(folder, name);
      const bytes = readUnlessFolder(path, terminal);
      return bytes === undefined ? [] : [readConfFile(path, bytes, system.executable)];
    });
  return factOf(read());
}

/** containerd passes over folders, whatever their names. */
function readUnlessFolder(path: string, { readFile }: Terminal): Uint8Array | undefined {
  try {
    return readFile(path);
  } catch (error) {
    if (isObject(error) && error['code'] === 'EISDIR') return undefined;
    throw error;
  }
}

/** The programs that the plugins of a file are, and their IPAM plugins: `<type>.exe` or `<type>`, as libcni looks for them. */
export function locatePrograms(
  file: ConfFile | undefined,
  { binDirs }: CniFolders,
  isFile: (path: string) => boolean,
): Configuration['programs'] {
  const types = (file?.plugins ?? []).flatMap(({ type, config }) => [type, readIpamType(config) ?? '']);
  const candidates = (type: string) =>
    binDirs.flatMap((folder) => [`${type}.exe`, type].map((name) => inFolder(folder, name)));
  const named = [...new Set(types.filter((type) => type !== ''))];
  return Object.fromEntries(named.map((type) => [type, candidates(type).find(isFile)]));
}

/** The plugin of the first file that is win-hcn, or may be for all anybody knows. */
export function findOwnPlugin(file: ConfFile | undefined, outside: Programs): ListedPlugin | undefined {
  return file?.plugins.find(({ type }) => ownerOfType(type, outside) !== 'another plugin');
}

/** What a plugin's configuration means; undefined where ADD would refuse it. */
export function meaningOf(plugin: ListedPlugin | undefined, executable: string): Configuration['network'] {
  return plugin && checkPlugin(plugin, executable).network;
}

/** Where the log of that plugin goes. Its default folder is win-hcn's own, with the one above. */
export function logOf(
  plugin: ListedPlugin | undefined,
  { executable, logFile }: Session['system'],
): Omit<LogFacts, 'answers'> {
  const json = plugin && openConfig(plugin.config, executable, '').json;
  const path = (json && readLogFile(json)) ?? logFile;
  if (path === '') return { path, places: [] };
  const folder = folderOf(path);
  const above = nameOf(folderOf(folder)) === 'win-hcn' ? [folderOf(folder)] : [];
  return { path, places: [...above, folder, path] };
}
