import { expect, test } from 'vitest';
import { guidBytes } from '../../../src/hcn/guid.ts';
import {
  endpointId,
  isDerived,
  loadBalancerId,
  networkId,
  remoteEndpointId,
} from '../../../src/plan/identity.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

test('an attachment, a network, a load balancer and a remote endpoint have these ids, today and after every update', () => {
  expect(endpointId(attachment)).toBe('070ede33-25ca-53d9-9556-72c268cfd259');
  expect(networkId('l2bridge')).toBe('259f4964-2dff-5b46-92f1-633319a59298');
  expect(loadBalancerId('dns')).toBe('8c621451-04d1-5958-8253-70a8337109b0');
  expect(remoteEndpointId(networkId('l2bridge'), '100.1.2.3')).toBe('4c4ac073-bf48-554d-9a45-1e22ef686d3c');
});

test('attachments that differ in anything have different ids', () => {
  const ids = [
    attachment,
    { ...attachment, ifname: 'eth1' },
    { ...attachment, network: 'l2bridge2' },
    { ...attachment, containerId: 'c0ffeE' },
    { containerId: 'c0ffeee', ifname: 'th0', network: 'l2bridge' },
  ].map(endpointId);
  expect(new Set(ids).size).toBe(5);
});

test('our ids are told from those HNS makes', () => {
  expect(isDerived(endpointId(attachment))).toBe(true);
  expect(isDerived('e446032f-bbf7-4b5a-880f-667bebc65501')).toBe(false);
});

test('a GUID in memory has three little-endian numbers', () => {
  expect([...guidBytes('00112233-4455-6677-8899-aabbccddeeff')]).toEqual([
    0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff,
  ]);
});
