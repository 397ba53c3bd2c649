import { describe, expect, test } from 'vitest';
import { createNamespace, deleteNamespace } from '../../../src/commands/namespaces.ts';
import { type Fault, faultsOf } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const container = (Id: string, Type = 'Container') => ({ Type, Data: { Id } });

/** A node with one namespace with these resources. */
function node(resources: readonly object[] = [], options: SmallNodeOptions = {}) {
  return smallNode({
    namespaces: [{ ID: namespace, Type: 'Host', Resources: resources, SchemaVersion }],
    ...options,
  });
}

test('a created namespace has the id that HNS chose', async () => {
  const { context } = node([], { chooseId: () => id });
  expect(await createNamespace('5f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01', context)).toBe(id);
  expect(await createNamespace(namespace, context)).toBeUndefined();
});

describe('a deletion of a namespace that HNS refuses', () => {
  const unsupported = 0x803b0015;
  const call = `delete Namespace ${namespace}`;
  const run = (resources: readonly object[], faults: Readonly<Record<string, readonly Fault[]>>) =>
    deleteNamespace(namespace, node(resources, faultsOf(faults)).context);

  test('is code 100 with the containers that run in the namespace', async () => {
    const resources = [{ Type: 'Endpoint', Data: { Id: id } }, container('a1'), container('b2', 'container')];
    await expect(run(resources, { [call]: [unsupported] })).rejects.toMatchObject({
      code: 100,
      message: `containers run in namespace ${namespace}, stop them first: a1, b2`,
      details: expect.stringContaining('HCN returned HCN_E_REQUEST_UNSUPPORTED (0x803b0015)'),
      cause: expect.objectContaining({ hresult: unsupported }),
    });
  });

  test.each<[string, readonly object[], Readonly<Record<string, readonly Fault[]>>]>([
    ['without containers', [{ Type: 'Endpoint', Data: { Id: id } }], {}],
    [
      'whose containers cannot be read',
      [container('a1')],
      { [`query Namespace ${namespace}`]: [0x80004005] },
    ],
  ])('is only the refusal in a namespace %s', async (_, resources, faults) => {
    await expect(run(resources, { ...faults, [call]: [unsupported] })).rejects.toMatchObject({
      hresult: unsupported,
    });
  });
});
