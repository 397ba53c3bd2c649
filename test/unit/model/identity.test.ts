import { describe, expect, test } from 'vitest';
import { guidBytes } from '../../../src/hcn/guid.ts';
import {
  attachmentNamed,
  containerInName,
  endpointId,
  endpointName,
  isDerived,
  loadBalancerId,
  networkId,
  remoteEndpointId,
  replacedEndpointName,
} from '../../../src/model/identity.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

test('the ids of an attachment, a network, a load balancer and a remote endpoint never change', () => {
  expect(endpointId(attachment)).toBe('070ede33-25ca-53d9-9556-72c268cfd259');
  expect(networkId('l2bridge')).toBe('259f4964-2dff-5b46-92f1-633319a59298');
  expect(loadBalancerId('dns')).toBe('8c621451-04d1-5958-8253-70a8337109b0');
  expect(remoteEndpointId(networkId('l2bridge'), '100.1.2.3')).toBe('4c4ac073-bf48-554d-9a45-1e22ef686d3c');
});

test('different attachments have different ids', () => {
  const ids = [
    attachment,
    { ...attachment, ifname: 'eth1' },
    { ...attachment, network: 'l2bridge2' },
    { ...attachment, containerId: 'c0ffeE' },
    { containerId: 'c0ffeee', ifname: 'th0', network: 'l2bridge' },
  ].map(endpointId);
  expect(new Set(ids).size).toBe(5);
});

test('a derived id differs from a generated one', () => {
  expect(isDerived(endpointId(attachment))).toBe(true);
  expect(isDerived('e446032f-bbf7-4b5a-880f-667bebc65501')).toBe(false);
});

test('a GUID in memory has three little-endian numbers', () => {
  expect([...guidBytes('00112233-4455-6677-8899-aabbccddeeff')]).toEqual([
    0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff,
  ]);
});

test('the name of an endpoint ends with its interface, as hcsshim attaches eth0 first', () => {
  expect(endpointName(attachment)).toBe('c0ffee_l2bridge_eth0');
});

test('win-bridge, win-overlay and sdnbridge name an endpoint <container>_<network>', () => {
  expect(replacedEndpointName(attachment)).toBe('c0ffee_l2bridge');
});

test('the container in a name <container>_<network> is found', () => {
  expect(containerInName('c0ffee_l2bridge', 'l2bridge')).toBe('c0ffee');
  expect(containerInName('c0ffee_l2bridge_eth0', 'l2bridge')).toBe('');
});

describe('the attachment in the name of an endpoint', () => {
  const network = 'cbr0';
  const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
  const pod = (containerId: string, ifname: string) => ({ containerId, ifname, network });

  test.each([
    ['in the current form', 'c0ffee_cbr0_eth0', pod('c0ffee', 'eth0')],
    ['in the form of earlier builds', 'c0ffee_eth0_cbr0', pod('c0ffee', 'eth0')],
    ['with the network in the container too', 'a_cbr0_b_cbr0_eth0', pod('a_cbr0_b', 'eth0')],
    ['with the network in the interface too', 'a_cbr0_b_cbr0_eth0', pod('a', 'b_cbr0_eth0')],
    ['with the network three times in a row', 'a_cbr0_cbr0_cbr0_e', pod('a_cbr0', 'cbr0_e')],
    ['with separators in the interface, in the form of earlier builds', 'a_b_c_cbr0', pod('a', 'b_c')],
    ['with separators in the container, in the form of earlier builds', 'a_b_c_cbr0', pod('a_b', 'c')],
  ])('%s matches its derived id', (_, name, expected) => {
    expect(attachmentNamed(name, endpointId(expected), network)).toEqual(expected);
  });

  test.each([
    ['another container', 'c0ffee_cbr0_eth0', pod('decaf', 'eth0')],
    ['another network', 'c0ffee_cbr0_eth0', { ...pod('c0ffee', 'eth0'), network: 'cbr1' }],
    ['another interface, in the form of earlier builds', 'c0ffee_eth0_cbr0', pod('c0ffee', 'eth1')],
  ])('is undefined if the id is derived from %s', (_, name, other) => {
    expect(attachmentNamed(name, endpointId(other), network)).toBeUndefined();
  });

  test.each([
    ['c0ffee_cbr0_eth0', pod('c0ffee', 'eth0')],
    ['a_cbr0_b_cbr0_eth0', pod('a_cbr0_b', 'eth0')],
    ['a_cbr0_eth0_cbr0_', pod('a', 'eth0_cbr0_')],
    ['a_cbr0_b_cbr0_an/interface', undefined],
    ['c0ffee_cbr0_an-interface-too-long', undefined],
    ['c0ffee_cbr0_', undefined],
    ['_cbr0_eth0', undefined],
    ['-c0ffee_cbr0_eth0', undefined],
    ['c0ffee_cbr1_eth0', undefined],
    ['c0ffee_eth0_cbr0', undefined],
    ['c0ffee_cbr0', undefined],
  ])('%s with a generated id is the last possible one: %j', (name, expected) => {
    expect(attachmentNamed(name, generated, network)).toEqual(expected);
  });
});
