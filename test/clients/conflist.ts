import { readFileSync } from 'node:fs';
import { example as exampleKeys } from '../e2e/example.ts';

export type Example = 'l2bridge' | 'overlay';

export interface Conflist {
  readonly cniVersion: string;
  readonly name: string;
  readonly plugins: readonly object[];
}

/** Returns an example conflist in a version, with changes to its plugin. */
export function conflist(example: Example, cniVersion = '1.0.0', changes: object = {}): Conflist {
  const list = JSON.parse(readFileSync(`conflist-examples/${example}.conflist`, 'utf8'));
  const { cniVersion: _version, name: _name, ...plugin } = exampleKeys(example, changes);
  return { ...list, cniVersion, plugins: [plugin] };
}

/** Returns an example conflist with plugins before and after win-hcn. */
export function chain(
  example: Example,
  cniVersion: string,
  neighbours: { readonly before?: readonly object[]; readonly behind?: readonly object[] },
): Conflist {
  const list = conflist(example, cniVersion);
  return { ...list, plugins: [...(neighbours.before ?? []), ...list.plugins, ...(neighbours.behind ?? [])] };
}
