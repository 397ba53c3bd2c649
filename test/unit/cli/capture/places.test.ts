import { describe, expect, test } from 'vitest';
import type { Component } from '../../../../src/cli/capture/parse-output.ts';
import { placesOf } from '../../../../src/cli/capture/places.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const macAddress = '00-15-5D-52-C0-00';

function endpoint(Name: string, changes: Partial<ObservedEndpoint> = {}): ObservedEndpoint {
  return {
    ID: `id-${Name}`,
    Name,
    HostComputeNetwork: 'n',
    HostComputeNamespace: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
    MacAddress: macAddress,
    SchemaVersion,
    ...changes,
  };
}

const adapter = {
  index: 5,
  alias: 'Ethernet',
  description: 'Microsoft Hyper-V Network Adapter',
  mac: '00-0D-3A-00-00-04',
  mediaType: 6,
  mtu: 1500,
  metric: 0,
  isUp: true,
  addresses: [],
  gateways: [],
};

/** The label of a network adapter's component on a node with endpoints. */
function labelOf(
  name: string,
  properties: Readonly<Record<string, string>>,
  endpoints: readonly ObservedEndpoint[],
): string | undefined {
  const component: Component = {
    id: 1,
    name,
    type: 'Miniport',
    properties: new Map(Object.entries(properties).map(([key, value]) => [key, [value]])),
  };
  const inventory = { networks: [], endpoints, namespaces: [], loadBalancers: [], pods: new Map() };
  return placesOf(new Map([[1, component]]), { inventory, adapters: [adapter] }).get(1)?.label;
}

describe('a network adapter', () => {
  test('of the node is not that of an endpoint with the same name', () => {
    const properties = { ifindex: '5', physaddress: '0x000D3A000004' };
    expect(labelOf('Ethernet', properties, [endpoint('Ethernet')])).toBe('adapter Ethernet');
  });

  test('with a MAC address belongs to the attached endpoint of this node, not to a leftover or remote one', () => {
    const endpoints = [
      endpoint('remote', { Flags: 1 }),
      endpoint('leftover', { HostComputeNamespace: '' }),
      endpoint('web'),
    ];
    const properties = { ifindex: '31', physaddress: '0x00155D52C000' };
    expect(labelOf('Container adapter', properties, endpoints)).toBe('adapter of endpoint web');
  });
});
