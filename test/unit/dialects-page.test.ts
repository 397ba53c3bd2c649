import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sdnFlags, sdnKeys } from '../../src/config/dialects/sdn.ts';
import { winBridgeKeys, winOverlayKeys } from '../../src/config/dialects/win-bridge.ts';
import { dialects, openConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';

const page = readFileSync('docs/dialects.md', 'utf8');
const schema = JSON.parse(readFileSync('schemas/win-hcn.schema.json', 'utf8'));
const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => JSON.parse(block ?? ''));

/** The cells of the table under a heading, without the table's header. */
function rows(heading: string): readonly (readonly string[])[] {
  const section = new RegExp(`^#+ ${heading}\n(.*?)(?=^#|$(?![^]))`, 'ms').exec(page)?.[1] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

const sdnRows = [
  'dns',
  ...sdnKeys.filter((key) => key !== 'optionalFlags'),
  ...sdnFlags.map((flag) => `optionalFlags.${flag}`),
  'ipam.subnet',
  'ipam.routes',
];

describe('docs/dialects.md', () => {
  test.each([
    ['win-bridge, win-overlay', ['dns', ...new Set([...winBridgeKeys, ...winOverlayKeys])]],
    ['sdnbridge, sdnoverlay, nat', sdnRows],
  ])('lists every key of %s, and no other, with its win-hcn key and the difference', (heading, keys) => {
    const table = rows(heading);
    expect(table.map(([key]) => key).toSorted()).toEqual(keys.map((key) => `\`${key}\``).toSorted());
    for (const row of table)
      expect(row).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });

  test.each([...dialects.keys()])('names the dialect %s', (name) => {
    expect(page.toLowerCase()).toContain(name);
  });

  test('translates configurations of a control plane into existing keys', () => {
    const keys = rows('azure-vnet, calico, vpc-bridge').map(([key = '']) => key.replaceAll('`', ''));
    expect(keys.length).toBeGreaterThan(10);
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(keys));
  });

  test.each(blocks.map((block) => [block.name, block]))('shows a valid configuration of %s', (_, block) => {
    const opened = openConfig(block, 'C:\\opt\\cni\\bin\\win-hcn.exe', '');
    expect(opened.ignored).toEqual([]);
    expect(readNetworkConfig(opened.json, {}, opened)).toMatchObject({ name: block.name });
  });
});
