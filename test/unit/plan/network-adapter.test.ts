import { describe, expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { schemaVersion } from '../../../src/hcn/documents.ts';
import { encapOverhead, needsAdapters, resolveAdapterName } from '../../../src/plan/network-adapter.ts';
import { hostAdapters } from './host-adapters.ts';

const network = {
  Name: 'l2bridge',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  SchemaVersion: schemaVersion,
};
const config = readNetworkConfig({
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  mtu: 1400,
});

test('an MTU is refused if the adapter is unknown, with what HNS shows', () => {
  const refused = (Policies: (typeof network)['Policies']) => () =>
    encapOverhead(config, { ...network, Policies }, [
      { ...hostAdapters[0], mac: undefined },
      ...hostAdapters.slice(1),
    ]);
  const message = '/mtu is 1400, but the MTU of the adapter of network "l2bridge" is unknown';
  expect(refused([])).toThrow(
    expect.objectContaining({
      code: 7,
      message,
      details: 'according to HNS, the network is bound to no adapter; set "adapter"',
    }),
  );
  expect(refused(network.Policies)).toThrow(
    expect.objectContaining({
      code: 7,
      message,
      details: 'according to HNS, the network is bound to Ethernet; set "adapter"',
    }),
  );
  const withoutMac = { ...hostAdapters[0], mac: undefined };
  expect(() => encapOverhead(config, network, [withoutMac, { ...withoutMac, alias: 'Other' }])).toThrow(
    message,
  );
});

describe("the host's adapters", () => {
  const plain = { ...config, mtu: undefined };

  test.each([
    ['to compare the adapter of a switch', { ...plain, adapter: 'vethernet (Ethernet)' }, network, true],
    ['for an MTU', config, network, true],
    ['not for an interface name', { ...plain, adapter: 'Wi-Fi' }, network, false],
    ['to choose one', plain, undefined, true],
  ] as const)('are needed %s', (_, given, observed, expected) => {
    expect(needsAdapters(given, observed)).toBe(expected);
  });
});

describe('the adapter of a network', () => {
  const plain = { ...config, mtu: undefined };

  test.each([['a known name in its own case', { adapter: 'ETHERNET' }, undefined, 'Ethernet']] as const)(
    'is %s',
    (_, changes, observed, expected) => {
      expect(resolveAdapterName({ ...plain, ...changes }, observed, hostAdapters)).toBe(expected);
    },
  );
});
