import { describe, expect, test } from 'vitest';
import { findHostEndpoint, findHostNamespace } from '../../../src/commands/host-endpoint.ts';
import { hostEndpointId } from '../../../src/model/identity.ts';
import { faultsOf, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

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

const second = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';

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

  const absent = { state: 'absent' };
  const leftover = { state: 'leftover', id: ours };
  const named = (...all: readonly (typeof unattached)[]) =>
    all.map((one, index) => ({ ...one, ID: [generated, second][index] ?? '' }));

  test.each([
    ['ready in a namespace', [attached], { state: 'ready', id: ours }],
    ['unattached in no namespace', [unattached], { state: 'unattached', id: ours }],
    ['a leftover with another address', [{ ...unattached, ...at('10.244.9.2') }], leftover],
    ['a leftover on another network', [{ ...unattached, ...elsewhere }], leftover],
    ['ready if the second with its name is', named(unattached, attached), { state: 'ready', id: second }],
    ['unattached under an id of HNS', named(unattached), { state: 'unattached', id: generated }],
    ['absent if the one with its name is elsewhere', named({ ...unattached, ...elsewhere }), absent],
    [
      'absent if the one with its name has another address',
      [{ ...attached, ID: generated, ...at('10.244.9.2') }],
      absent,
    ],
  ])('is %s', async (_, endpoints, expected) => {
    expect(await found(...endpoints)).toEqual(expected);
  });

  test.each([
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

describe('the host namespace', () => {
  const filter = 'enumerate Namespace {"IsDefault":true}';
  const host = { ID: namespace, Type: 'hostDefault' };
  const first = { ...host, NamespaceId: 1 };
  const later = { ...host, ID: second, IsDefault: true, NamespaceId: 2 };
  const pod = { ...later, ID: generated, Type: 'Host', NamespaceId: 1 };
  const refused = faultsOf({ [filter]: [0x80070057] });

  test.each<[string, SmallHcnOptions, string | undefined]>([
    [
      'the default one in compartment 1',
      { namespaces: [pod, later, { ...first, IsDefault: true }] },
      namespace,
    ],
    ['the only default one of the host', { namespaces: [pod, first, later] }, second],
    ['not one of two in other compartments', { namespaces: [later, { ...later, ID: namespace }] }, undefined],
    ['the one in compartment 1 if none is default', { namespaces: [pod, first] }, namespace],
    ['that one too if HNS refuses the filter', { namespaces: [later, first], ...refused }, namespace],
    ['missing if there are only those of pods', { namespaces: [pod] }, undefined],
  ])('is %s', async (_, options, expected) => {
    const finding = findHostNamespace(smallHcn(options).hcn);
    if (expected !== undefined) return expect(await finding).toBe(expected);
    return expect(finding).rejects.toMatchObject({
      code: 100,
      message: 'HCN has no host namespace (type HostDefault, compartment 1)',
      details: 'drain the node and run Restart-Service hns',
    });
  });
});
