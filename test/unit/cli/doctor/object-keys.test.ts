import { expect, test } from 'vitest';
import { containerKey, objectKey } from '../../../../src/cli/doctor/object-keys.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import { endpoint, hostNamespace, SchemaVersion } from './facts.ts';

const web = `0123456789abc${'d'.repeat(51)}`;
const other = `9876543210abc${'d'.repeat(51)}`;
const like = `0123456789abc${'e'.repeat(51)}`;

/** A node that runs containers, with the names of some pods. */
function running(containers: readonly string[], names: Readonly<Record<string, string>> = {}): Inventory {
  const Resources = containers.map((Id) => ({ Type: 'Container', Data: { Id } }));
  const namespaces = [{ ID: hostNamespace, Type: 'Host', NamespaceId: 2, Resources, SchemaVersion }];
  const pods = new Map(Object.entries(names).map(([id, name]) => [id, { name, added: '' }]));
  return { networks: [], endpoints: [], namespaces, loadBalancers: [], pods };
}

test.each<[string, Inventory, string]>([
  ["its pod's name", running([web, other], { [web]: 'shop/web' }), 'shop/web'],
  ['the start of its ID if the pod is unknown', running([web, other]), '0123456789abc'],
  [
    'the start of its ID if two containers have the name',
    running([web, other], { [web]: 'shop/web', [other]: 'shop/web' }),
    '0123456789abc',
  ],
  [
    'the start of its ID if another pod has the name in a namespace',
    running([web, other], { [web]: 'web', [other]: 'shop/web' }),
    '0123456789abc',
  ],
  ['its ID if another one starts alike', running([web, like]), web],
])('a command names a container by %s', (_, inventory, expected) => {
  expect(containerKey(web, inventory)).toBe(expected);
});

test('a command names an endpoint by the start of its ID, or by its ID if another one starts alike', () => {
  const [one, two] = [endpoint('1', {}), endpoint('2', {})];
  expect(objectKey(one.ID, [one])).toBe('fd6bec0f');
  expect(objectKey(one.ID, [one, two])).toBe(one.ID);
});
