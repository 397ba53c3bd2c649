import { describe, expect, test } from 'vitest';
import { findHostEndpoint, findHostNamespace } from '../../../src/commands/host-endpoint.ts';
import { hostEndpointId } from '../../../src/model/identity.ts';
import { smallHcn } from '../hcn/small-hcn.ts';

const network = {
  ID: '22222222-2222-3333-4444-555555555555',
  Name: 'cbr0',
  Type: 'L2Bridge',
  SchemaVersion: { Major: 2, Minor: 0 },
};
const otherNetwork = '33333333-2222-3333-4444-555555555555';
const namespace = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
const ours = hostEndpointId('cbr0');
const ofHns = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const another = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';

const at = (IpAddress: string) => ({ IpConfigurations: [{ IpAddress, PrefixLength: 24 }] });
const unattached = { ID: ours, Name: 'cbr0_ep', HostComputeNetwork: network.ID, ...at('10.244.2.2') };
const attached = { ...unattached, HostComputeNamespace: namespace };
const elsewhere = { HostComputeNetwork: otherNetwork };

describe('the endpoint of the node', () => {
  const found = (...endpoints: readonly (typeof unattached)[]) =>
    findHostEndpoint(ours, network, '10.244.2.2', smallHcn({ endpoints }).hcn);

  test.each([
    ['absent where there is none', [], { state: 'absent' }],
    ['at work in a namespace', [attached], { state: 'ready', id: ours }],
    ['unfinished in no namespace', [unattached], { state: 'unattached', id: ours }],
    [
      'a leftover in no namespace with another address',
      [{ ...unattached, ...at('10.244.2.9') }],
      { state: 'leftover', id: ours },
    ],
    [
      'a leftover in no namespace on another network',
      [{ ...unattached, ...elsewhere }],
      { state: 'leftover', id: ours },
    ],
    ['found by its name where HNS chose its id', [{ ...attached, ID: ofHns }], { state: 'ready', id: ofHns }],
    ['unfinished where HNS chose its id', [{ ...unattached, ID: ofHns }], { state: 'unattached', id: ofHns }],
    [
      'of several with its name the one at work',
      [
        { ...unattached, ID: ofHns },
        { ...attached, ID: another },
      ],
      { state: 'ready', id: another },
    ],
    [
      'absent where the one with its name has another address',
      [{ ...attached, ID: ofHns, ...at('10.244.9.2') }],
      { state: 'absent' },
    ],
    [
      'absent where the one with its name is in no namespace, on another network',
      [{ ...unattached, ID: ofHns, ...elsewhere }],
      { state: 'absent' },
    ],
    [
      'unfinished beside one of its name on another network',
      [
        { ...unattached, ID: another, ...elsewhere },
        { ...unattached, ID: ofHns },
      ],
      { state: 'unattached', id: ofHns },
    ],
  ])('is %s', async (_, endpoints, expected) => {
    expect(await found(...endpoints)).toEqual(expected);
  });

  test('at work with another address than configured is error 7', async () => {
    await expect(found({ ...attached, ...at('10.244.2.9') })).rejects.toMatchObject({
      code: 7,
      message: 'host endpoint "cbr0_ep" has 10.244.2.9, and /hostEndpoint asks for 10.244.2.2',
    });
  });

  test('at work without an address is error 7', async () => {
    await expect(found({ ...attached, IpConfigurations: [] })).rejects.toMatchObject({
      code: 7,
      message: 'host endpoint "cbr0_ep" has no address, and /hostEndpoint asks for 10.244.2.2',
    });
  });

  test('at work under its name on another network is error 7, as its address cannot be given twice', async () => {
    await expect(found({ ...attached, ID: ofHns, ...elsewhere })).rejects.toMatchObject({ code: 7 });
  });
});

describe('the namespace of the node', () => {
  const pod = { ID: ofHns, Type: 'Host', NamespaceId: 3 };
  const found = (...namespaces: readonly { readonly ID: string; readonly [member: string]: unknown }[]) =>
    findHostNamespace(smallHcn({ namespaces }).hcn);

  test('is the one of its type that HNS calls default, whatever its compartment', async () => {
    const other = { ID: another, Type: 'HostDefault', NamespaceId: 1 };
    const own = { ID: namespace, Type: 'HostDefault', IsDefault: true };
    expect(await found({ ...pod, IsDefault: true }, other, own)).toBe(namespace);
  });

  test('is the one in compartment 1 where HNS calls several default', async () => {
    const other = { ID: another, Type: 'HostDefault', NamespaceId: 2, IsDefault: true };
    const own = { ID: namespace, Type: 'HostDefault', NamespaceId: 1, IsDefault: true };
    expect(await found(other, own)).toBe(namespace);
  });

  test('is the one in compartment 1 where those HNS calls default have no number', async () => {
    const others = [ofHns, another].map((ID) => ({ ID, Type: 'HostDefault', IsDefault: true }));
    const own = { ID: namespace, Type: 'HostDefault', NamespaceId: 1 };
    expect(await found(...others, own)).toBe(namespace);
  });

  test('is the one in compartment 1 where HNS calls none default', async () => {
    const other = { ID: another, Type: 'HostDefault', NamespaceId: 2 };
    const own = { ID: namespace, Type: 'HostDefault', NamespaceId: 1 };
    expect(await found(pod, other, own)).toBe(namespace);
  });

  test('is error 100 where there is none', async () => {
    await expect(found(pod)).rejects.toMatchObject({
      code: 100,
      message: 'HCN has no host namespace (type HostDefault, compartment 1)',
    });
  });
});
