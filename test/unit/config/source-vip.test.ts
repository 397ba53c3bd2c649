import { expect, test } from 'vitest';
import { keepSourceVip, sourceVipHolder } from '../../../src/config/essential-keys.ts';

const ours = [
  { containerID: 'kube-proxy', ifname: 'source-vip' },
  { containerID: 'dummy', ifname: 'dummy' },
];
const pod = { containerID: 'c0ffee', ifname: 'eth0' };

test('the source VIP is reserved for the same holder as by rke2', () => {
  expect(sourceVipHolder).toEqual(ours[0]);
});

test.each([
  [
    { name: 'a', 'cni.dev/valid-attachments': [pod] },
    { name: 'a', 'cni.dev/valid-attachments': [pod, ...ours] },
  ],
  [{ 'cni.dev/attachments': [] }, { 'cni.dev/attachments': ours }],
  [{ 'cni.dev/valid-attachments': null }, { 'cni.dev/valid-attachments': ours }],
  [{ name: 'a' }, { name: 'a' }],
])('GC of the IPAM plugin keeps the source VIP of an Overlay network: %j', (given, expected) => {
  const stdin = JSON.stringify(given);
  expect(JSON.parse(keepSourceVip({ networkType: 'Overlay' }, stdin))).toEqual(expected);
  expect(keepSourceVip({ networkType: 'L2Bridge' }, stdin)).toBe(stdin);
});

test('input that is no JSON is refused', () => {
  expect(() => keepSourceVip({ networkType: 'Overlay' }, '{')).toThrow(
    /^the network configuration is not JSON: /,
  );
});
