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
  ['L2Driver without settings [O]', 'L2Driver', undefined],
  [
    'an ACL with lists [T]',
    'ACL',
    { Protocols: '6,17', LocalAddresses: '192.168.100.0/24,10.0.0.21', ...acl },
  ],
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
  ['an ACL with the address Any (hcsshim#1059) [O]', 'ACL', { LocalAddresses: 'Any', ...acl }, '0x803B000D'],
  ['an ACL with a numeric protocol list [D]', 'ACL', { Protocols: 6, ...acl }, '0x803B000D'],
  ['an unsigned number that is too large [D]', 'EncapOverhead', { Overhead: 65536 }, '0x803B000D'],
  ['an unknown NatFlag [D]', 'OutBoundNAT', { Flags: 8 }, '0x803B000D'],
  ['an unknown type (hcsshim#470) [O]', 'NAT', {}, '0x803B000E'],
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
});

it('two InterfaceParameters are refused [D]', async () => {
  const policy = { Type: 'InterfaceParameters', Settings: { Mtu: 1400 } };
  expect((await createEndpoint(network, { Policies: [policy, policy] })).hresult).toBe('0x803B0036');
});
