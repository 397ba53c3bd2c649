import { findDialectName, pluginName } from '../../../config/open-config.ts';
import type { ConfFile } from '../../conflist/conf-file.ts';
import type { ListedPlugin } from '../../conflist/plugin-list.ts';
import type { FileAccess } from '../../terminal/access.ts';
import type { Fact } from '../../terminal/powershell.ts';
import type { Configuration, Facts } from '../facts.ts';

/** Identifies the programs of plugin types. */
interface Programs {
  readonly executable: string;
  readonly programs: Configuration['programs'];
  readonly files: Fact<readonly FileAccess[]>;
}

type PluginOwner = 'win-hcn' | 'another plugin' | 'unknown';

/** The file that checks use: the first one for win-hcn, even if another plugin's precedes it; undefined if there is none. */
export function usedConf({ configuration: { files, programs }, ...facts }: Facts): ConfFile | undefined {
  return 'value' in files ? findOwnConfs(files.value, { ...facts, programs })[0] : undefined;
}

/** The files for win-hcn. The first file is one of them if its owner is unknown. */
export function findOwnConfs(files: readonly ConfFile[], context: Programs): readonly ConfFile[] {
  return files.filter((file, index) => {
    const owner = ownerOfConf(file, context);
    return owner === 'win-hcn' || (index === 0 && owner === 'unknown');
  });
}

/** Whether a file configures win-hcn. An invalid file does if it mentions win-hcn. */
export function ownerOfConf({ plugins, mentionsWinHcn }: ConfFile, context: Programs): PluginOwner {
  if (plugins.length === 0) return mentionsWinHcn ? 'win-hcn' : 'another plugin';
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
