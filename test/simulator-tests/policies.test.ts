import { beforeEach, describe, expect, it, test } from 'vitest';
import { createEndpoint, createNetwork, hnsAroundEach, nat, networkId as network } from './test-client.ts';

hnsAroundEach();
beforeEach(async () => {
  await createNetwork(nat, network);
});

async function outcome(Type: unknown, Settings?: object) {
  return createEndpoint(network, { Policies: [{ Type, ...(Settings && { Settings }) }] });
}

const acl = { Action: 'Allow', Direction: 'In' };

test.each([
  ['OutBoundNAT with prefixes [S]', 'OutBoundNAT', { Exceptions: ['10.244.0.0/16', '10.0.0.4'] }],
  ['OutBoundNAT with a virtual address [S]', 'OutBoundNAT', { VirtualIP: '10.0.0.4' }],
  ['L2Driver without settings [O]', 'L2Driver', undefined],
  ['SDNRoute [S]', 'SDNRoute', { DestinationPrefix: '10.96.0.0/12', NextHop: '10.0.0.4', NeedEncap: true }],
  [
    'an ACL with lists [T]',
    'ACL',
    { Protocols: '6,17', LocalAddresses: '192.168.100.0/24,10.0.0.21', ...acl },
  ],
  ['an ACL for any protocol [S]', 'ACL', { Protocols: '256', LocalPorts: '80-90,443', ...acl }],
  ['EncapOverhead [S]', 'EncapOverhead', { Overhead: 50 }],
  ['ProviderAddress [S]', 'ProviderAddress', { ProviderAddress: '10.0.0.5' }],
  ['L4Proxy [S]', 'L4Proxy', { Destination: '10.0.0.1', ExceptionList: ['10.0.0.2'], OutboundNat: true }],
  [
    'L4WFPPROXY [T]',
    'L4WFPPROXY',
    { OutboundProxyPort: '80', FilterTuple: { Protocols: '6' }, UserSID: 'S-1-5-32' },
  ],
  ['InterfaceParameters [D]', 'InterfaceParameters', { Mtu: 1400 }],
])('%s is accepted', async (_, type, settings) => {
  expect((await outcome(type, settings)).hresult).toBe('0x00000000');
});

test.each([
  [
    'OutBoundNAT with host bits (hcsshim#1951) [O]',
    'OutBoundNAT',
    { Exceptions: ['172.17.0.1/16'] },
    '0x803B000D',
  ],
  [
    'OutBoundNAT with exceptions of two families (AgentBaker#3049) [O]',
    'OutBoundNAT',
    { Exceptions: ['10.0.0.0/8', 'fd00::/8'] },
    '0x803B000D',
  ],
  [
    'OutBoundNAT with destinations of two families [I]',
    'OutBoundNAT',
    { Destinations: ['10.96.0.10', 'fd00::10'] },
    '0x803B000D',
  ],
  ['an ACL with the address Any (hcsshim#1059) [O]', 'ACL', { LocalAddresses: 'Any', ...acl }, '0x803B000D'],
  ['an ACL without action [S]', 'ACL', { Direction: 'In' }, '0x803B000D'],
  ['an ACL with a numeric protocol list [D]', 'ACL', { Protocols: 6, ...acl }, '0x803B000D'],
  ['an ACL with a port too high [I]', 'ACL', { LocalPorts: '65536', ...acl }, '0x803B000D'],
  ['an unsigned number that is too large [D]', 'EncapOverhead', { Overhead: 65536 }, '0x803B000D'],
  ['a VLAN out of range [I]', 'VLAN', { IsolationId: 4095 }, '0x803B000D'],
  ['an ACL with a port of zero [I]', 'ACL', { LocalPorts: '0', ...acl }, '0x803B000D'],
  ['an ACL with the higher port first [I]', 'ACL', { LocalPorts: '90-80', ...acl }, '0x803B000D'],
  ['an unknown NatFlag [D]', 'OutBoundNAT', { Flags: 8 }, '0x803B000D'],
  ['an unknown type (hcsshim#470) [O]', 'NAT', {}, '0x803B000E'],
  ['a type that is neither a name nor an ordinal [I]', null, {}, '0x803B001B'],
])('%s is refused', async (_, type, settings, hresult) => {
  expect((await outcome(type, settings)).hresult).toBe(hresult);
});

test.each([
  ['an unknown setting', 'QOS', { Bandwidth: 1 }],
  ['V1 names in a V2 policy', 'OutBoundNAT', { exceptionList: ['10.0.0.0/8'] }],
  ["hcsshim's L4Proxy members", 'L4Proxy', { Destination: '10.0.0.1', OutboundNAT: true }],
  ['an unknown member of a member', 'L4WFPPROXY', { FilterTuple: { Protocols: '6', Vlan: 4 } }],
])('%s is ignored [S WMCO, O projectcalico/cni-plugin#1067]', async (_, type, settings) => {
  const { hresult, document } = await outcome(type, settings);
  expect(hresult).toBe('0x00000000');
  expect(JSON.stringify(document['Policies'])).not.toMatch(/Bandwidth"|exceptionList|OutboundNAT|Vlan/);
});

describe('answers', () => {
  it("have types in the schema's spelling, whatever the request's case [S]", async () => {
    const { document } = await outcome('SDNROUTE', {
      NextHop: '10.0.0.4',
      DestinationPrefix: '10.96.0.0/12',
    });
    expect(document['Policies']).toEqual([
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NextHop: '10.0.0.4' } },
    ]);
  });
  it("have settings in the schema's order (azure-container-networking#3550) [O]", async () => {
    const { document } = await outcome('ACL', {
      Action: 'Block',
      Direction: 'Out',
      RuleType: 'Switch',
      Protocols: '1',
      LocalAddresses: '169.254.128.6',
      Priority: 2000,
    });
    expect(JSON.stringify(document['Policies'])).toBe(
      '[{"Type":"ACL","Settings":{"Protocols":"1","LocalAddresses":"169.254.128.6","Priority":2000,"Action":"Block","Direction":"Out","RuleType":"Switch"}}]',
    );
  });
  it('omit optional settings with default values [S]', async () => {
    const { document } = await outcome('SDNRoute', {
      DestinationPrefix: '10.96.0.0/12',
      NextHop: '',
      NeedEncap: false,
    });
    expect(document['Policies']).toEqual([
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12' } },
    ]);
  });
});

it('two InterfaceParameters are refused [D]', async () => {
  const policy = { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } };
  expect((await createEndpoint(network, { Policies: [policy, policy] })).hresult).toBe('0x803B0036');
});
