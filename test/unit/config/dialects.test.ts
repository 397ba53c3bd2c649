import { describe, expect, test } from 'vitest';
import { findDialectName, openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

type Json = Readonly<Record<string, unknown>>;

function read(config: Json, executable = 'win-hcn.exe') {
  const opened = openConfig(config, executable, '');
  return { ...readNetworkConfig(opened.json, {}, opened), ignored: opened.ignored };
}
const bridge = { name: 'cbr0', type: 'win-bridge' };
const nat = { name: 'nat', type: 'nat' };

describe('the dialect is selected', () => {
  test.each([
    [{ Type: 'WIN-Overlay' }, 'sdnbridge', 'win-overlay'],
    [{ type: 'C:\\cni\\nat.exe' }, 'win-hcn.exe', 'nat'],
    [{ type: 'win-hcn' }, '/opt/cni/bin/SdnOverlay.EXE', 'sdnoverlay'],
    [{ type: 7, networkType: null }, 'l2tunnel', 'l2tunnel'],
    [{ type: 'nat', NetworkType: 'NAT' }, 'nat.exe', undefined],
    [{ type: 'nat.exe.old' }, 'win-hcn.exe', undefined],
  ])('by the type of %j, or else by the executable %s: %s', (config, executable, name) => {
    expect(findDialectName(config, executable)).toBe(name);
  });

  test('by the type wincni.exe, with the network type from the network name', () => {
    const type = 'wincni.exe';
    expect(read({ name: 'l2tunnel', type })).toMatchObject({ networkType: 'L2Tunnel' });
    expect(() => read({ Name: 'cbr0', type })).toThrow(/: \/Name is "cbr0", expected "L2Bridge", /);
  });
});

test("a policy is translated with HCN's name of a member if it has both names, in any order", () => {
  const both = { ExceptionList: ['10.0.0.0/8'], Exceptions: ['11.0.0.0/8'] };
  for (const Settings of [both, Object.fromEntries(Object.entries(both).reverse())]) {
    const policies = [{ name: 'EndpointPolicy', value: { Type: 'OutBoundNAT', Settings } }];
    expect(read({ ...bridge, policies })).toMatchObject({
      endpointPolicies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['11.0.0.0/8'] } }],
      ignored: ['/policies/0/value/Settings/ExceptionList'],
    });
  }
});

test('keys without effect are never an error, and are listed once, in the given spelling', () => {
  const tuple = { Protocols: '6', 'a/b': 1 };
  const config = {
    ...nat,
    Extra: 1,
    Master: 'Ethernet',
    DNS: { Nameservers: ['10.0.0.1'], Foo: 1 },
    OptionalFlags: { LoopbackDSR: false, Faster: true },
    ipam: { routes: [{ GW: 'here' }] },
    Policies: [
      { name: 'Other', value: {} },
      {
        Name: 'EndpointPolicy',
        Value: { Type: 'ROUTE', DestinationPrefix: '10.0.0.0/8', Metric: 1, Off: false },
      },
      { Name: 'EndpointPolicy', Value: { Type: 'QOS', Metric: 1, settings: { Burst: 1 } } },
      { Name: 'EndpointPolicy', Value: { Type: 'L4WFPPROXY', Settings: { FilterTuple: tuple } } },
    ],
  };
  expect(openConfig(config, 'nat.exe', '').ignored).toEqual([
    '/DNS/Foo',
    '/Extra',
    '/OptionalFlags/Faster',
    '/Policies/0',
    '/Policies/1/Value/Metric',
    '/Policies/2/Value/Metric',
    '/Policies/2/Value/settings/Burst',
    '/Policies/3/Value/Settings/FilterTuple/a~1b',
    '/ipam/routes/0/GW',
  ]);
  const ofNetwork = [{ name: 'NetworkPolicy', value: { Type: 'VLAN', VLAN: 5 } }];
  expect(read({ ...bridge, policies: ofNetwork }).ignored).toEqual(['/policies/0/value']);
});

describe('an error has the path in the given configuration, in its spelling', () => {
  test.each<[place: string, config: Json]>([
    ['/policies/0/Value', { ...bridge, policies: [{ Name: 'EndpointPolicy', Value: null }] }],
    ['/optionalflags', { ...nat, optionalflags: 'x' }],
    ['/Subnets/0/Subnet', { name: 'x', NetworkType: 'NAT', Subnets: [{ Subnet: 'x' }] }],
  ])('%s', (place, config) => {
    expect(() => read(config)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`configuration: ${place} is `)) }),
    );
  });
});
