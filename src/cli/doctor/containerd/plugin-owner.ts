import { findDialectName, pluginName } from '../../../config/open-config.ts';

/**
 * Whether a plugin's name leads to win-hcn: by its own name, or by the name of a plugin it stands in for, where the program of that
 * name is a copy of it. `product` is what that program says it is; undefined where nobody knows.
 */
export function ownerOfPlugin(
  type: string,
  executable: string,
  product: string | undefined,
): 'win-hcn' | 'another plugin' | 'unknown' {
  const name = pluginName(type);
  if (name === 'win-hcn' || name === pluginName(executable)) return 'win-hcn';
  if (findDialectName({ type }, '') === undefined) return 'another plugin';
  if (product === undefined) return 'unknown';
  return product === 'win-hcn' ? 'win-hcn' : 'another plugin';
}
