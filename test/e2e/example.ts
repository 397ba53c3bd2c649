import { readFileSync } from 'node:fs';

/** The plugin's configuration as libcni derives it from an example conflist. */
export function example(name: string, changes: object = {}): Readonly<Record<string, unknown>> {
  const { plugins, ...list } = JSON.parse(readFileSync(`conflist-examples/${name}.conflist`, 'utf8'));
  return { ...plugins[0], cniVersion: list.cniVersion, name: list.name, ...changes };
}
