import { describe, expect, test } from 'vitest';
import { inheritedManner, ownManner } from '../../../src/config/manner.ts';
import { endpointId } from '../../../src/plan/identity.ts';
import { staleness } from '../../../src/plan/stale-endpoints.ts';

const network = 'cbr0';
const attachment = (containerId: string, ifname = 'eth0') => ({ containerId, ifname, network });
const endpoint = (ID: string, Name: string) => ({
  ID,
  Name,
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  SchemaVersion: { Major: 2, Minor: 0 },
});
const valid = [attachment('alive')];
const ofHns = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const ofAlive = endpointId(attachment('alive'));
const ofGone = endpointId(attachment('gone'));
const ofAliveEth1 = endpointId(attachment('alive', 'eth1'));

describe.each([
  ['our own vocabulary', ownManner],
  ["another plugin's vocabulary", inheritedManner],
])('with a configuration in %s', (_, manner) => {
  const { mayBeStale, isStale } = staleness(network, valid, manner);

  test('the endpoint of a valid attachment is not looked at', () => {
    expect(mayBeStale(ofAlive)).toBe(false);
    expect(mayBeStale(ofGone)).toBe(true);
  });

  test.each([
    ['gone_eth0_cbr0', ofGone],
    ['alive_eth1_cbr0', ofAliveEth1],
  ])('%s is stale, by the id we derive from it', (name, id) => {
    expect(isStale(endpoint(id, name))).toBe(true);
  });

  test.each(['cbr0_ep', 'Ethernet', '_cbr0', 'gone_cbr1', '-gone_cbr0'])(
    '%s of somebody else is not',
    (name) => {
      expect(isStale(endpoint(ofHns, name))).toBe(false);
    },
  );
});

describe('an endpoint called after a container and the network', () => {
  test.each([
    ["of a container without attachment, with an id of HNS's", 'gone_cbr0', ofHns, true],
    ["of a container with one, with an id of HNS's", 'alive_cbr0', ofHns, false],
    ['of a container with one, with an id of ours for another interface', 'alive_cbr0', ofAliveEth1, true],
  ])('%s, is stale to an inherited configuration: %s', (_, name, id, expected) => {
    const { mayBeStale, isStale } = staleness(network, valid, inheritedManner);
    expect(mayBeStale(id)).toBe(true);
    expect(isStale(endpoint(id, name))).toBe(expected);
  });

  test('is never ours to a configuration in our vocabulary', () => {
    const { mayBeStale, isStale } = staleness(network, valid, ownManner);
    expect(mayBeStale(ofHns)).toBe(false);
    expect(isStale(endpoint(ofHns, 'gone_cbr0'))).toBe(false);
  });
});
