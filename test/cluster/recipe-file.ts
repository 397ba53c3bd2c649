import { readFileSync } from 'node:fs';
import { fillPlaceholders } from '../../src/cli/conflist/placeholders.ts';
import { readPage } from '../markdown/page.ts';

/** The plugin's configuration of a conflist file as libcni derives it; placeholders get the node's pod subnets. */
export function recipeFile(
  path: string,
  podSubnets: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const text = fillPlaceholders(readFileSync(path, 'utf8'), podSubnets);
  const { plugins, ...list } = JSON.parse(text);
  return { ...plugins[0], cniVersion: list.cniVersion, name: list.name };
}

/** The JSON texts in a section of docs/clusters.md. */
export function jsonOf(heading: string): readonly string[] {
  const [, section = ''] = readFileSync('docs/clusters.md', 'utf8').split(`## ${heading}\n`);
  const { blocks } = readPage('docs/clusters.md', section.replace(/^## .*/ms, ''));
  return blocks.filter(({ language }) => language === 'json').map(({ text }) => text);
}
