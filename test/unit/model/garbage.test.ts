import { describe, expect, test } from 'vitest';
import { defaultBehavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { garbageOn } from '../../../src/model/garbage.ts';
import { endpointId } from '../../../src/model/identity.ts';

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
  ['our own dialect', defaultBehavior],
  ["another plugin's dialect", dropInBehavior],
])('with a configuration in %s', (_, behavior) => {
  const { isGarbage } = garbageOn(network, valid, behavior, []);

  test('the endpoint of a valid attachment is not looked at', () => {
    expect(garbageOn(network, valid, behavior, [ofAlive, ofGone]).candidates).toEqual([ofGone]);
  });

  test.each([
    ['gone_cbr0_eth0', ofGone],
    ['alive_cbr0_eth1', ofAliveEth1],
    ['gone_eth0_cbr0', ofGone],
    ['alive_eth1_cbr0', ofAliveEth1],
  ])('%s is stale, by the id we derive from it', (name, id) => {
    expect(isGarbage(endpoint(id, name))).toBe(true);
  });

  test.each([
    ['gone_cbr0_eth0', true],
    ['alive_cbr0_eth1', true],
    ['alive_cbr0_eth0', false],
  ])('%s, whose id HNS chose, is stale by its name: %j', (name, expected) => {
    expect(isGarbage(endpoint(ofHns, name))).toBe(expected);
  });

  test.each([
    'cbr0_ep',
    'Ethernet',
    '_cbr0',
    'gone_cbr1',
    '-gone_cbr0',
    'gone_cbr0_an/interface',
    '_cbr0_eth0',
  ])('%s, whose id HNS chose, is not stale: the name is not ours', (name) => {
    expect(isGarbage(endpoint(ofHns, name))).toBe(false);
  });
});

describe('an endpoint called after a container and the network', () => {
  test.each([
    ["of a container without attachment, with an id of HNS's", 'gone_cbr0', ofHns, true],
    ["of a container with one, with an id of HNS's", 'alive_cbr0', ofHns, false],
    ['of a container with one, with an id of ours for another interface', 'alive_cbr0', ofAliveEth1, true],
  ])('%s, is stale to a drop-in configuration: %s', (_, name, id, expected) => {
    const { candidates, isGarbage } = garbageOn(network, valid, dropInBehavior, [ofAlive, id]);
    expect(candidates).toEqual([id]);
    expect(isGarbage(endpoint(id, name))).toBe(expected);
  });

  test.each(['a_cbr0_b', 'a'])(
    'of a valid container %s is not stale to a drop-in configuration, whatever its name looks like',
    (containerId) => {
      const { isGarbage } = garbageOn(network, [attachment(containerId)], dropInBehavior, []);
      expect(isGarbage(endpoint(ofHns, `${containerId}_cbr0`))).toBe(false);
    },
  );

  test('is never ours to a configuration in our dialect', () => {
    const { isGarbage } = garbageOn(network, valid, defaultBehavior, []);
    expect(isGarbage(endpoint(ofHns, 'gone_cbr0'))).toBe(false);
  });
});

describe('with a configuration in our dialect an endpoint whose id HNS chose is', () => {
  test('a candidate if no id on the network is derived: HNS may ignore requested ids', () => {
    expect(garbageOn(network, valid, defaultBehavior, [ofHns]).candidates).toEqual([ofHns]);
  });

  test('not ours beside a derived id, which shows that HNS accepts them', () => {
    const { candidates, isGarbage } = garbageOn(network, valid, defaultBehavior, [ofHns, ofAlive]);
    expect(candidates).toEqual([]);
    expect(isGarbage(endpoint(ofHns, 'gone_cbr0_eth0'))).toBe(false);
  });
});
