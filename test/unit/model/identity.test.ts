import { expect, test } from 'vitest';
import { endpointId, networkId } from '../../../src/model/identity.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

test('the ids of an attachment and a network never change', () => {
  expect(endpointId(attachment)).toBe('070ede33-25ca-53d9-9556-72c268cfd259');
  expect(networkId('l2bridge')).toBe('259f4964-2dff-5b46-92f1-633319a59298');
});

test('a network of HCN may have half a surrogate pair in its name', () => {
  expect(networkId('\ud800')).toBe(networkId('\ufffd'));
});
