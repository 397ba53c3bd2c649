import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CniError } from '../../src/cni/error.ts';
import { foldConfig, readIpamType, readName } from '../../src/config/plugin-members.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { contains, formatPrefix, networkOf, parsePrefix } from '../../src/net/prefix.ts';
import { endpointId } from '../../src/plan/identity.ts';
import { cidr, containerId, validConfig } from './arbitraries.ts';

test('a network has no host bits, contains its addresses, and reads back as itself', () => {
  fc.assert(
    fc.property(cidr, (text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined) return;
      const network = networkOf(prefix);
      expect(networkOf(network)).toEqual(network);
      expect(contains(network, prefix.address)).toBe(true);
      expect(parsePrefix(formatPrefix(prefix))).toEqual(prefix);
    }),
    { numRuns: 1000 },
  );
});

test('attachments have the same id exactly when they are the same', () => {
  const attachment = fc.record({ containerId, ifname: containerId, network: containerId });
  fc.assert(
    fc.property(attachment, attachment, (one, other) => {
      expect(endpointId(one) === endpointId(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test('a configuration is read or refused with a CNI error, whatever is in it', () => {
  const damage = fc.dictionary(
    fc.constantFrom(
      'networkType',
      'subnets',
      'ipam',
      'dns',
      'acls',
      'outboundNat',
      'sdnRoutes',
      'endpointPolicies',
      'networkPolicies',
      'runtimeConfig',
      'prevResult',
      'macPrefix',
      'x',
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(validConfig, damage, (config, changes) => {
      const json = JSON.parse(JSON.stringify({ ...config, ...changes }));
      for (const read of [readNetworkConfig, readName, readIpamType]) {
        try {
          read(foldConfig(json));
        } catch (error) {
          expect(error).toBeInstanceOf(CniError);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
