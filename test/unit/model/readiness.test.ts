import { expect, test } from 'vitest';
import { subnetsOf } from '../../../src/model/network-document.ts';
import { hasManagementAddress, isUsableAddress } from '../../../src/model/readiness.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

test('the subnets of a network are those of all its IPAMs', () => {
  const one = { IpAddressPrefix: '10.0.1.0/24' };
  const two = { IpAddressPrefix: '10.0.2.0/24' };
  const three = { IpAddressPrefix: 'fd00:3::/64' };
  const Ipams = [{ Subnets: [one, two] }, {}, { Subnets: [three] }];
  expect(subnetsOf({ Name: 'cbr0', Ipams, SchemaVersion })).toEqual([one, two, three]);
  expect(subnetsOf({ Name: 'cbr0', SchemaVersion })).toEqual([]);
});

test.each([
  ['L2Bridge', true],
  ['l2bridge', true],
  ['L2Tunnel', true],
  ['Overlay', false],
  ['Transparent', false],
  ['NAT', false],
  ['ICS', false],
  ['Internal', false],
  ['Private', false],
])("on a network of type %s is an address of the node's own: %j", (Type, expected) => {
  expect(hasManagementAddress({ Name: 'cbr0', Type, SchemaVersion })).toBe(expected);
});

test.each([
  ['10.0.0.4', true],
  ['169.253.0.1', true],
  ['169.254.12.34', false],
  ['', false],
  [undefined, false],
])('%j can be reached by other nodes: %j', (address, expected) => {
  expect(isUsableAddress(address)).toBe(expected);
});
