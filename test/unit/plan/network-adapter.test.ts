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

/** The overhead with the MTU of the physical adapter and of the virtual switch's adapter above it. */
function overheadWith(mtu: number, virtual: number): number | undefined {
  const mtus: Readonly<Record<string, number>> = { Ethernet: mtu, 'vEthernet (Ethernet)': virtual };
  const adapters = hostAdapters.map((adapter) => ({ ...adapter, mtu: mtus[adapter.alias] ?? 9000 }));
  return encapOverhead(config, network, adapters);
}

test.each([
  [65535, 1500, 100],
  [4294967295, 1500, 100],
  [1450, 65535, 50],
])('a reported MTU of 65535 or more is ignored: physical %d, virtual %d', (physical, virtual, overhead) => {
  expect(overheadWith(physical, virtual)).toBe(overhead);
});

test.each([65535, 4294967295])('an MTU is refused if both adapters report %d', (mtu) => {
  expect(() => overheadWith(mtu, mtu)).toThrow(
    '/mtu is 1400, but the MTU of the adapter of network "l2bridge" is unknown',
  );
});
