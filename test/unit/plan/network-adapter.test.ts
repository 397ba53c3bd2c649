import { expect, test } from 'vitest';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { schemaVersion } from '../../../src/hcn/documents.ts';
import { encapOverhead } from '../../../src/plan/network-adapter.ts';
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

/** With this MTU of the adapter under the virtual switch, to which IP is not bound as a rule. */
function overheadWith(mtu: number, virtual: number): number | undefined {
  const mtus: Readonly<Record<string, number>> = { Ethernet: mtu, 'vEthernet (Ethernet)': virtual };
  const adapters = hostAdapters.map((adapter) => ({ ...adapter, mtu: mtus[adapter.alias] ?? 9000 }));
  return encapOverhead(config, network, adapters);
}

test.each([65535, 4294967295])('an adapter that reports %d is not bound: its virtual one counts', (mtu) => {
  expect(overheadWith(mtu, 1500)).toBe(100);
});

test.each([65535, 4294967295])('an MTU is refused where both report %d', (mtu) => {
  expect(() => overheadWith(mtu, mtu)).toThrow(
    '/mtu is 1400, and the MTU of the adapter of network "l2bridge" is not known',
  );
});

test('the MTU of a bound adapter counts', () => {
  expect(overheadWith(1450, 65535)).toBe(50);
});
