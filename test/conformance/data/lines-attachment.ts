// Lines 36 to 69: the result, the error object, ADD, DEL, CHECK.

import { expect } from 'vitest';
import { expectOutcome } from '../case.ts';
import type { Line } from '../line.ts';

export const attachmentLines: readonly Line[] = [
  {
    line: 36,
    says: 'a result in 0.1.0 or 0.2.0 has the first address of each family with its routes, and at least one address',
    by: [[64, ': 0.1.0'], [64, ': 0.2.0'], 65, 66, 92],
  },
  {
    line: 37,
    says: 'a result in 0.3.0 to 0.4.0 has the IP version of each address and always has dns',
    by: [
      [64, ': 0.3.0'],
      [64, ': 0.3.1'],
      [64, ': 0.4.0'],
      [109, 'may be in 0.4.0'],
    ],
  },
  {
    line: 38,
    says: 'a result in 1.0.0 or 1.1.0 has neither, but may have the MTU of an interface',
    by: [[64, ': 1.0.0'], [64, ': 1.1.0'], 76, [109, 'comes first']],
  },
  {
    line: 39,
    says: 'empty members and meaningless zeros are omitted, all others kept',
    by: [76, [99, 'zeros']],
  },
  {
    line: 40,
    says: 'the result lists every interface; that of win-hcn has CNI_NETNS as its sandbox',
    by: [32, 76, [109, 'comes first']],
  },
  {
    line: 41,
    says: "an address has a prefix length, its gateway has none, and its index is that of win-hcn's interface",
    by: [76, 98],
  },
  {
    line: 42,
    says: 'a route has a destination with a prefix length, and a next hop',
    by: [
      [99, 'canonical'],
      [99, 'zeros'],
    ],
  },
  { line: 43, says: 'dns has all four members', by: [100] },
  { line: 44, says: 'results in older versions are read', by: [78, [109, 'may be in 0.2.0']] },
  {
    line: 45,
    says: 'addresses are returned in canonical text; leading zeros and zones are refused',
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
    says: 'an error has the version of the configuration, or the latest if that is unknown',
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
    says: "errors have the codes of the specification; win-hcn's own start at 100",
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
  { line: 48, says: 'ADD attaches the interface to CNI_NETNS', by: [[31, 'in braces'], 32] },
  { line: 49, says: 'ADD of an existing interface is an error', by: [93] },
  { line: 50, says: 'ADD attaches a second interface of a container to the same network', by: [94] },
  {
    line: 51,
    says: "ADD passes on the previous plugin's result",
    by: [
      [109, 'comes first'],
      [110, 'converted'],
    ],
  },
  {
    line: 52,
    says: 'ADD keeps all interfaces, addresses, routes and DNS settings of that result',
    by: [109],
  },
  {
    line: 53,
    says: 'a failed ADD rolls back and makes the IPAM plugin release the address',
    by: [80, 90, 91],
  },
  {
    line: 54,
    says: "ADD returns the IPAM plugin's addresses, routes and DNS, with interface indexes",
    by: [[64, ': 1.1.0'], 98],
  },
  { line: 55, says: 'an IPAM result without an address is a failure', by: [82, 83] },
  {
    line: 56,
    says: "runtimeConfig takes precedence over dns, and dns over the IPAM plugin's DNS",
    by: [100],
  },
  { line: 57, says: 'DEL deletes everything that ADD created for the attachment', by: [111] },
  { line: 58, says: 'DEL of a deleted or never added attachment succeeds', by: [112, 113] },
  {
    line: 59,
    says: 'DEL releases the address without prevResult and without CNI_NETNS',
    by: [17, 34, 112],
  },
  {
    line: 60,
    says: 'DEL deletes the rest when an object is missing or the configuration has changed',
    by: [114, 116],
  },
  {
    line: 61,
    says: "DEL runs the IPAM plugin's DEL, even without an endpoint, and passes on its error",
    by: [114, 117],
  },
  { line: 62, says: 'DEL deletes the endpoint before it releases the address', by: [117, 118] },
  { line: 63, says: 'DEL accepts a configuration in any version', by: [116] },
  {
    line: 64,
    says: 'CHECK requires prevResult and compares with it',
    by: [121, [123, 'the address differs']],
  },
  { line: 65, says: 'CHECK ignores changes of later plugins', by: [122] },
  { line: 66, says: 'CHECK reports a missing or different interface, address or policy', by: [123] },
  { line: 67, says: 'CHECK succeeds right after ADD', by: [120, 125] },
  { line: 68, says: "CHECK runs the IPAM plugin's CHECK and passes on its error", by: [124] },
  {
    line: 69,
    says: 'CHECK requires the interface of prevResult to be in CNI_NETNS',
    by: [[123, 'another sandbox']],
  },
];
