import { describe, expect, test } from 'vitest';
import { adapterProblem } from '../../../../src/cli/probe/adapter.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';

const mac = '00-15-5D-00-00-01';
const adapter: HostAdapter = {
  index: 4,
  alias: 'Ethernet 2',
  description: 'Microsoft KM-TEST Loopback Adapter',
  mac,
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [{ address: '10.0.1.4', length: 24 }],
  gateways: [],
  metric: 15,
};
const network = {
  ID: '11111111-0000-4000-8000-000000000001',
  Name: 'l2bridge',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet 2' } }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const ofSwitch = 'belongs to a virtual switch, or has no address. Use another adapter';

describe('an adapter for probe', () => {
  test('is one with an address that nothing uses, in any case', () => {
    expect(adapterProblem('ethernet 2', [adapter], { networks: [] })).toBeUndefined();
  });

  test('can be one of several, even if none has a MAC address', () => {
    const other = { ...adapter, alias: 'Ethernet', mac: '00-15-5D-00-00-02' };
    const beside = { ...adapter, alias: 'My vEthernet (Lab)' };
    expect(adapterProblem('Ethernet 2', [adapter, other], { networks: [] })).toBeUndefined();
    expect(adapterProblem('My vEthernet (Lab)', [beside, other], { networks: [] })).toBeUndefined();
    const without = [adapter, other].map((one) => ({ ...one, mac: undefined }));
    expect(adapterProblem('Ethernet 2', without, { networks: [] })).toBeUndefined();
  });

  test.each([
    [
      'that does not exist',
      'Wi-Fi',
      [adapter],
      [],
      'adapter "Wi-Fi" does not exist. Run Get-NetAdapter to list the adapters',
    ],
    [
      'of a network',
      'Ethernet 2',
      [adapter],
      [network],
      'adapter "Ethernet 2" is used by network "l2bridge": the probe would affect its pods. Use another adapter',
    ],
    [
      'of two networks',
      'Ethernet 2',
      [adapter],
      [network, { ...network, Name: 'other' }],
      'adapter "Ethernet 2" is used by network "l2bridge": the probe would affect its pods. Use another adapter',
    ],
    [
      'that a virtual switch created',
      'vEthernet (Lab)',
      [{ ...adapter, alias: 'vEthernet (Lab)' }],
      [],
      `adapter "vEthernet (Lab)" ${ofSwitch}`,
    ],
    [
      'below a virtual switch of another name',
      'Ethernet 2',
      [adapter, { ...adapter, alias: 'vEthernet (Lab)' }],
      [],
      `adapter "Ethernet 2" ${ofSwitch}`,
    ],
    [
      'below a virtual switch that the node does not use',
      'Ethernet 2',
      [{ ...adapter, addresses: [] }],
      [],
      `adapter "Ethernet 2" ${ofSwitch}`,
    ],
  ])('is none %s', (_, name, adapters, networks, problem) => {
    expect(adapterProblem(name, adapters, { networks })).toBe(problem);
  });
});
