import { describe, expect, test } from 'vitest';
import {
  attachEndpoint,
  createNamespace,
  deleteNamespace,
  detachEndpoint,
} from '../../../src/commands/namespaces.ts';
import { changesIn, type Fault, faultsOf } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const elsewhere = '3e314d9f-9d81-5f85-8c3f-8a0c4f9d5c43';
const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const endpoint = { ID: id, Name: 'pod', HostComputeNetwork: '', SchemaVersion };
const container = (Id: string, Type = 'Container') => ({ Type, Data: { Id } });

/** A node with one endpoint, which is in a namespace if one is given, and one namespace with these resources. */
function node(at?: string, resources: readonly object[] = [], options: SmallNodeOptions = {}) {
  return smallNode({
    namespaces: [{ ID: namespace, Type: 'Host', Resources: resources, SchemaVersion }],
    endpoints: [{ ...endpoint, ...(at && { HostComputeNamespace: at }) }],
    ...options,
  });
}

describe('creating a namespace', () => {
  test('creates one for a pod', async () => {
    const { context, all, calls } = smallNode();
    expect(await createNamespace(namespace, context)).toBe(true);
    expect(all('Namespace')).toEqual([
      expect.objectContaining({ ID: namespace, Type: 'Host', SchemaVersion }),
    ]);
    expect(changesIn(calls)).toEqual([`create Namespace ${namespace}`]);
  });

  test('that exists changes nothing', async () => {
    const { context, calls } = node();
    expect(await createNamespace(namespace, context)).toBe(false);
    expect(changesIn(calls)).toEqual([]);
  });
});

describe('deleting a namespace', () => {
  test('returns whether it existed', async () => {
    const { context, all } = node();
    expect(await deleteNamespace(namespace, context)).toBe(true);
    expect(all('Namespace')).toEqual([]);
    expect(await deleteNamespace(namespace, context)).toBe(false);
  });
});

describe('attaching an endpoint', () => {
  test('puts it into the namespace', async () => {
    const { context, all, calls } = node();
    expect(await attachEndpoint(id, namespace, context)).toBe(true);
    expect(all('Endpoint')).toMatchObject([{ HostComputeNamespace: namespace }]);
    expect(changesIn(calls)).toEqual([`modify Namespace ${namespace} Add ${id}`]);
  });

  test('that is there changes nothing', async () => {
    const { context, calls } = node(namespace);
    expect(await attachEndpoint(id, namespace, context)).toBe(false);
    expect(changesIn(calls)).toEqual([]);
  });

  test('that is in another namespace is code 102', async () => {
    const { context, calls } = node(elsewhere);
    await expect(attachEndpoint(id, namespace, context)).rejects.toMatchObject({
      code: 102,
      message: `endpoint "pod" (${id}) is in namespace ${elsewhere}, not in ${namespace}`,
      details: 'win-hcn debug endpoint detach removes it from there',
    });
    expect(changesIn(calls)).toEqual([]);
  });

  test('that is absent is code 102', async () => {
    const { context } = node(undefined, [], { endpoints: [] });
    await expect(attachEndpoint(id, namespace, context)).rejects.toMatchObject({
      code: 102,
      message: `HCN has no endpoint ${id}`,
      details: 'win-hcn ls endpoints lists the existing ones',
    });
  });
});

describe('detaching an endpoint', () => {
  test('leaves it in no namespace, and returns whether it was there', async () => {
    const { context, all } = node(namespace);
    expect(await detachEndpoint(endpoint, namespace, context)).toBe(true);
    expect(all('Endpoint')).toMatchObject([{ HostComputeNamespace: '00000000-0000-0000-0000-000000000000' }]);
    expect(await detachEndpoint(endpoint, namespace, context)).toBe(false);
  });
});

describe.each([
  ['deletion of the namespace', `delete Namespace ${namespace}`],
  ['detach', `modify Namespace ${namespace} Remove ${id}`],
])('a %s that HNS refuses', (name, call) => {
  const unsupported = 0x803b0015;
  const run = (resources: readonly object[], faults: Readonly<Record<string, readonly Fault[]>>) => {
    const { context } = node(namespace, resources, faultsOf(faults));
    return name === 'detach'
      ? detachEndpoint(endpoint, namespace, context)
      : deleteNamespace(namespace, context);
  };

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
