import { readFileSync } from 'node:fs';
import { fillPlaceholders } from '../../src/cli/install/placeholders.ts';

/** The plugin's configuration of a conflist file as libcni derives it; placeholders get the node's pod subnets. */
export function recipeFile(
  path: string,
  podSubnets: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const text = fillPlaceholders(readFileSync(path, 'utf8'), podSubnets);
  const { plugins, ...list } = JSON.parse(text);
  return { ...plugins[0], cniVersion: list.cniVersion, name: list.name };
}
