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
