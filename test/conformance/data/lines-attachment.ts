// Lines 36 to 69: the result, the error object, ADD, DEL, CHECK.

import { expect } from 'vitest';
import { expectOutcome } from '../case.ts';
import type { Line } from '../line.ts';

export const attachmentLines: readonly Line[] = [
  {
    line: 36,
    says: 'a result of 0.1.0 or 0.2.0 has the first address of each family with its routes, and needs one',
    by: [[64, ': 0.1.0'], [64, ': 0.2.0'], 65, 66, 92],
  },
  {
    line: 37,
    says: 'a result of 0.3.0 to 0.4.0 says the version of each address and always has dns',
    by: [
      [64, ': 0.3.0'],
      [64, ': 0.3.1'],
      [64, ': 0.4.0'],
      [109, 'may be of 0.4.0'],
    ],
  },
  {
    line: 38,
    says: 'a result of 1.0.0 or 1.1.0 does not, and may have the MTU of an interface',
    by: [[64, ': 1.0.0'], [64, ': 1.1.0'], 76, [109, 'comes first']],
  },
  {
    line: 39,
    says: 'empty members and zeros that mean nothing go, and the others stay',
    by: [76, [99, 'zeros']],
  },
  {
    line: 40,
    says: 'every interface is there, and ours has CNI_NETNS as its sandbox',
    by: [32, 76, [109, 'comes first']],
  },
  {
    line: 41,
    says: 'an address has its prefix length, its gateway has none, and its index is that of ours',
    by: [76, 98],
  },
  {
    line: 42,
    says: 'routes have a destination with a prefix length, and a next hop',
    by: [
      [99, 'canonical'],
      [99, 'zeros'],
    ],
  },
  { line: 43, says: 'dns has all four members', by: [100] },
  { line: 44, says: 'results of older versions are understood', by: [78, [109, 'may be of 0.2.0']] },
  {
    line: 45,
    says: 'addresses come out in canonical text, and leading zeros and zones are refused',
    by: [[99, 'canonical']],
    story: async (node) => {
      for (const address of ['010.5.0.7/24', 'fe80::1%eth0/64', '10.5.0.7', '10.5.0.7/33']) {
        node.ipam.answer('ADD', JSON.stringify({ ips: [{ address }] }));
        await expectOutcome(node, { becomes: { error: 6, says: [JSON.stringify(address)] } });
      }
    },
  },
  {
    line: 46,
    says: 'an error is in the version of the configuration, or in the latest where that cannot be told',
    story: async ({ cni }) => {
      const old = await cni({ config: { cniVersion: '0.4.0', colour: 'red' } });
      const none = await cni({ stdin: 'hello' });
      const future = await cni({ config: { cniVersion: '9.9.9' } });
      const versions = [old, none, future].map(({ json }) => json.cniVersion);
      expect(versions).toEqual(['0.4.0', '1.1.0', '1.1.0']);
    },
  },
  {
    line: 47,
    says: 'errors have the codes of the specification, and ours start at 100',
    by: [
      [63, '"9.9.9"'],
      [74, 'colour'],
      33,
      14,
      [39, 'a word'],
      [58, 'null'],
      118,
      [127, 'HNS is stopped'],
      90,
    ],
  },
  { line: 48, says: 'ADD puts the interface into CNI_NETNS', by: [[31, 'in braces'], 32] },
  { line: 49, says: 'ADD of an interface that exists is an error', by: [93] },
  { line: 50, says: 'ADD gives a container a second interface on the same network', by: [94] },
  {
    line: 51,
    says: 'ADD passes the result of the plugin before it on',
    by: [
      [109, 'comes first'],
      [110, 'converted'],
    ],
  },
  { line: 52, says: 'ADD loses no interface, address, route or DNS setting of that result', by: [109] },
  {
    line: 53,
    says: 'an ADD that fails takes back what it made, and has the IPAM plugin do so',
    by: [80, 90, 91],
  },
  {
    line: 54,
    says: 'ADD returns the addresses, routes and DNS of the IPAM plugin, with indexes',
    by: [[64, ': 1.1.0'], 98],
  },
  { line: 55, says: 'an IPAM plugin that assigns no address has failed', by: [82, 83] },
  { line: 56, says: 'DNS comes from runtimeConfig, then from dns, then from the IPAM plugin', by: [100] },
  { line: 57, says: 'DEL takes back all that ADD made for the attachment', by: [111] },
  { line: 58, says: 'DEL of what is gone, or never was, succeeds', by: [112, 113] },
  {
    line: 59,
    says: 'DEL needs neither prevResult nor CNI_NETNS to give the address back',
    by: [17, 34, 112],
  },
  {
    line: 60,
    says: 'DEL does what can be done when something is gone or the configuration has changed',
    by: [114, 116],
  },
  {
    line: 61,
    says: 'DEL has the IPAM plugin delete too, also when the endpoint is gone, and passes its error on',
    by: [114, 117],
  },
  { line: 62, says: 'DEL deletes the endpoint before it gives the address back', by: [117, 118] },
  { line: 63, says: 'DEL takes a configuration of any version', by: [116] },
  {
    line: 64,
    says: 'CHECK compares with prevResult, and needs it',
    by: [121, [123, 'the address is another']],
  },
  { line: 65, says: 'CHECK tolerates what later plugins changed', by: [122] },
  { line: 66, says: 'CHECK finds an interface, an address or a policy that is gone or wrong', by: [123] },
  { line: 67, says: 'CHECK right after ADD passes', by: [120, 125] },
  { line: 68, says: 'CHECK has the IPAM plugin check too, and passes its error on', by: [124] },
  {
    line: 69,
    says: 'CHECK wants the interface of prevResult to be in CNI_NETNS',
    by: [[123, 'another sandbox']],
  },
];
