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

describe('attaching an endpoint', () => {
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

  const attaching = `modify Namespace ${namespace} Add ${id}`;
  const query = `query Endpoint ${id}`;

  test('fails if HNS does not respond', async () => {
    const { context, calls } = node(undefined, [], faultsOf({ [attaching]: ['late'] }));
    await expect(attachEndpoint(id, namespace, context)).rejects.toThrow('did not respond');
    expect(calls.filter((call) => call === query)).toHaveLength(1);
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

  test('is only the refusal in a namespace whose containers cannot be read', async () => {
    await expect(
      run([container('a1')], {
        [`query Namespace ${namespace}`]: [0x80004005],
        [call]: [unsupported],
      }),
    ).rejects.toMatchObject({
      hresult: unsupported,
    });
  });
});
