import { readIpamType } from '../../../config/essential-keys.ts';
import { findDialectName, pluginName } from '../../../config/open-config.ts';
import type { ListedPlugin } from '../../plugin-list.ts';
import type { Configuration, Fact } from '../facts.ts';
import { joinPath } from '../windows-path.ts';
import type { ConfFile } from './conf-files.ts';
import type { CniFolders } from './containerd.ts';
import type { FileAccess } from './file-access.ts';

/** Finds the programs of a file's plugins and IPAM plugins: `<type>.exe` or `<type>`, as libcni does. */
export function locatePrograms(
  file: ConfFile | undefined,
  { binDirs }: CniFolders,
  isFile: (path: string) => boolean,
): Configuration['programs'] {
  const types = (file?.plugins ?? []).flatMap(({ type, config }) => [type, readIpamType(config) ?? '']);
  const candidates = (type: string) =>
    binDirs.flatMap((folder) => [`${type}.exe`, type].map((name) => joinPath(folder, name)));
  const named = [...new Set(types.filter((type) => type !== ''))];
  return Object.fromEntries(named.map((type) => [type, candidates(type).find(isFile)]));
}

/** Identifies the programs of plugin types. */
export interface Programs {
  readonly executable: string;
  readonly programs: Configuration['programs'];
  readonly files: Fact<readonly FileAccess[]>;
}

export type PluginOwner = 'win-hcn' | 'another plugin' | 'unknown';

/** Whether a file configures win-hcn. Programs are located for the first file only: for others the owner may be unknown. */
export function ownerOfConf({ plugins }: ConfFile, context: Programs): PluginOwner {
  const owners = plugins.map(({ type }) => ownerOfType(type, context));
  const best = ['win-hcn', 'unknown'] as const;
  return best.find((owner) => owners.includes(owner)) ?? 'another plugin';
}

/** The first plugin that is, or may be, win-hcn. */
export function findOwnPlugin(file: ConfFile | undefined, context: Programs): ListedPlugin | undefined {
  return file?.plugins.find(({ type }) => ownerOfType(type, context) !== 'another plugin');
}

/** A type is win-hcn by its own name, or by the name of a plugin it replaces if that program is a copy of win-hcn. */
function ownerOfType(type: string, context: Programs): PluginOwner {
  const name = pluginName(type);
  if (name === 'win-hcn' || name === pluginName(context.executable)) return 'win-hcn';
  if (findDialectName({ type }, '') === undefined) return 'another plugin';
  const product = productOf(type, context);
  if (product === undefined) return 'unknown';
  return product === 'win-hcn' ? 'win-hcn' : 'another plugin';
}

/** The product name in the program's version resource; `none` without a program, undefined if not read. */
function productOf(type: string, { programs, files }: Programs): string | undefined {
  const program = programs[type];
  if (program === undefined) return type in programs ? 'none' : undefined;
  return 'value' in files ? files.value.find(({ path }) => path === program)?.product : undefined;
}
