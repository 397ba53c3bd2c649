import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endpointId } from '../../src/model/identity.ts';
import { contains, formatPrefix, networkOf, parsePrefix } from '../../src/net/prefix.ts';
import { cidr, containerId } from './arbitraries.ts';
import type { Property } from './property.ts';

const attachment = fc.record({ containerId, ifname: containerId, network: containerId });

export const pureProperties: readonly Property[] = [
  {
    name: 'a network has no host bits, contains its addresses, and reads back as itself',
    property: fc.property(cidr, (text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined) return;
      const network = networkOf(prefix);
      assert.deepEqual(networkOf(network), network);
      assert.ok(contains(network, prefix.address));
      assert.deepEqual(parsePrefix(formatPrefix(prefix)), prefix);
    }),
    runs: { test: 1000, fuzz: 2000 },
  },
  {
    name: 'two attachments have the same id exactly if they are equal',
    property: fc.property(attachment, attachment, (one, other) => {
      assert.equal(endpointId(one) === endpointId(other), JSON.stringify(one) === JSON.stringify(other));
    }),
    runs: { test: 100, fuzz: 500 },
  },
];
