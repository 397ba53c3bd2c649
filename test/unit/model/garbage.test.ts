import { describe, expect, test } from 'vitest';
import { defaultBehavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { endpointId } from '../../../src/model/identity.ts';
import { garbageOn } from '../../../src/model/ownership.ts';

const network = 'cbr0';
const attachment = (containerId: string, ifname = 'eth0') => ({ containerId, ifname, network });
const endpoint = (ID: string, Name: string) => ({
  ID,
  Name,
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  SchemaVersion: { Major: 2, Minor: 0 },
});
const valid = [attachment('valid')];
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const validId = endpointId(attachment('valid'));

const validEth1Id = endpointId(attachment('valid', 'eth1'));

describe.each([
  ['of win-hcn', defaultBehavior],
  ['of another plugin', dropInBehavior],
])('with a configuration in the dialect %s', (_, behavior) => {
  const { isGarbage } = garbageOn(network, valid, behavior, []);

  test.each([
    ['valid_cbr0_eth1', true],
    ['valid_cbr0_eth0', false],
  ])('%s with a generated id is garbage: %j', (name, expected) => {
    expect(isGarbage(endpoint(generated, name))).toBe(expected);
  });
});

describe('an endpoint named <container>_<network>', () => {
  test.each([
    ['of a container without valid attachment, with a generated id', 'gone_cbr0', generated, true],
    ['of a container with a valid attachment, with a generated id', 'valid_cbr0', generated, false],
    ['of another interface, with a derived id', 'valid_cbr0', validEth1Id, true],
  ])('%s, is garbage in the dialect of another plugin: %s', (_, name, id, expected) => {
    const { candidates, isGarbage } = garbageOn(network, valid, dropInBehavior, [validId, id]);
    expect(candidates).toEqual([id]);
    expect(isGarbage(endpoint(id, name))).toBe(expected);
  });

  test('is not garbage in the dialect of win-hcn', () => {
    const { isGarbage } = garbageOn(network, valid, defaultBehavior, []);
    expect(isGarbage(endpoint(generated, 'gone_cbr0'))).toBe(false);
  });
});
