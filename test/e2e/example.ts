import { readFileSync } from 'node:fs';

/** Members that add calls to HCN to each ADD, which tests with these examples count: other tests are about them. */
const left: Readonly<Record<string, readonly string[]>> = {
  l2bridge: ['hostEndpoint', 'loopbackDSR'],
  overlay: ['loopbackDSR'],
};

/** The plugin's configuration as libcni derives it from an example conflist, without the members that are left out. */
export function example(name: string, changes: object = {}): Readonly<Record<string, unknown>> {
  const { plugins, ...list } = JSON.parse(readFileSync(`conflist-examples/${name}.conflist`, 'utf8'));
  const members = Object.entries(plugins[0]).filter(([key]) => left[name]?.includes(key) !== true);
  return { ...Object.fromEntries(members), cniVersion: list.cniVersion, name: list.name, ...changes };
}
