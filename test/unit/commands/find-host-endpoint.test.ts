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
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const another = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';

const at = (IpAddress: string) => ({ IpConfigurations: [{ IpAddress, PrefixLength: 24 }] });
const unattached = { ID: ours, Name: 'cbr0_ep', HostComputeNetwork: network.ID, ...at('10.244.2.2') };
const attached = { ...unattached, HostComputeNamespace: namespace };
const elsewhere = { HostComputeNetwork: otherNetwork };

describe('the host endpoint', () => {
  const found = async (...endpoints: readonly (typeof unattached)[]) => {
    const { state, ...rest } = await findHostEndpoint(
      ours,
      network,
      '10.244.2.2',
      smallHcn({ endpoints }).hcn,
    );
    return 'endpoint' in rest ? { state, id: rest.endpoint.ID } : { state };
  };

  test.each([
    ['absent without endpoints', [], { state: 'absent' }],
    ['ready in a namespace', [attached], { state: 'ready', id: ours }],
    ['unattached in no namespace', [unattached], { state: 'unattached', id: ours }],
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
    [
      'found by its name if HNS generated its id',
      [{ ...attached, ID: generated }],
      { state: 'ready', id: generated },
    ],
    [
      'unattached if HNS generated its id',
      [{ ...unattached, ID: generated }],
      { state: 'unattached', id: generated },
    ],
    [
      'the attached one of several with its name',
      [
        { ...unattached, ID: generated },
        { ...attached, ID: another },
      ],
      { state: 'ready', id: another },
    ],
    [
      'the first of several attached ones with its name',
      [
        { ...attached, ID: generated },
        { ...attached, ID: another },
      ],
      { state: 'ready', id: generated },
    ],
    [
      'the first of several unattached ones with its name',
      [
        { ...unattached, ID: generated },
        { ...unattached, ID: another },
      ],
      { state: 'unattached', id: generated },
    ],
    [
      'absent if the one with its name has another address',
      [{ ...attached, ID: generated, ...at('10.244.9.2') }],
      { state: 'absent' },
    ],
    [
      'absent if the one with its name is unattached and on another network',
      [{ ...unattached, ID: generated, ...elsewhere }],
      { state: 'absent' },
    ],
    [
      'unattached beside one of its name on another network',
      [
        { ...unattached, ID: another, ...elsewhere },
        { ...unattached, ID: generated },
      ],
      { state: 'unattached', id: generated },
    ],
  ])('is %s', async (_, endpoints, expected) => {
    expect(await found(...endpoints)).toEqual(expected);
  });

  test.each([
    [
      'with another address than configured',
      { ...attached, ...at('10.244.2.9') },
      'host endpoint "cbr0_ep" has 10.244.2.9, and /hostEndpoint asks for 10.244.2.2',
    ],
    [
      'with other addresses than configured',
      {
        ...attached,
        IpConfigurations: ['10.244.2.9', 'fd00::9'].map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
      },
      'host endpoint "cbr0_ep" has 10.244.2.9, fd00::9, and /hostEndpoint asks for 10.244.2.2',
    ],
    [
      'without an address',
      { ...attached, IpConfigurations: [] },
      'host endpoint "cbr0_ep" has no address, and /hostEndpoint asks for 10.244.2.2',
    ],
    [
      'on another network, as two endpoints cannot have its address',
      { ...attached, ID: generated, ...elsewhere },
      expect.any(String),
    ],
  ])('that is attached %s is error 7', async (_, endpoint, message) => {
    await expect(found(endpoint)).rejects.toMatchObject({
      code: 7,
      message,
      details:
        'pods may use it as their gateway: delete it when they are gone (win-hcn debug endpoint delete), or configure its address',
    });
  });
});

describe('the namespace of the node', () => {
  const pod = { ID: generated, Type: 'Host', NamespaceId: 1 };
  const found = (...namespaces: readonly { readonly ID: string; readonly [member: string]: unknown }[]) =>
    findHostNamespace(smallHcn({ namespaces }).hcn);

  const own = { ID: namespace, Type: 'hostdefault', NamespaceId: 1 };
  const other = { ID: another, Type: 'HostDefault', NamespaceId: 2 };
  const isDefault = { IsDefault: true };

  test.each([
    [
      'the default one of its type, whatever its compartment',
      [
        { ...pod, ...isDefault },
        { ...other, NamespaceId: 1 },
        { ID: namespace, Type: 'HostDefault', ...isDefault },
      ],
    ],
    [
      'the one in compartment 1 if several are default',
      [
        { ...other, ...isDefault },
        { ...own, ...isDefault },
      ],
    ],
    [
      'the one in compartment 1 if the default ones have no number',
      [...[generated, another].map((ID) => ({ ID, Type: 'HostDefault', ...isDefault })), own],
    ],
    ['the one in compartment 1 if HNS marks no default', [pod, other, own]],
  ])('is %s', async (_, namespaces) => {
    expect(await found(...namespaces)).toBe(namespace);
  });

  test('that is missing is error 100', async () => {
    await expect(found(pod, other)).rejects.toMatchObject({
      code: 100,
      message: 'HCN has no host namespace (type HostDefault, compartment 1)',
      details: 'drain the node and run Restart-Service hns',
    });
  });
});
