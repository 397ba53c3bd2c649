import { describe, expect, test } from 'vitest';
import { findHostEndpoint } from '../../../src/commands/host-endpoint.ts';
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
    ['ready in a namespace', [attached], { state: 'ready', id: ours }],
    [
      'absent if the one with its name has another address',
      [{ ...attached, ID: generated, ...at('10.244.9.2') }],
      { state: 'absent' },
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
