import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ConfNode, ConfRequest } from '../../src/cli/conf/conf-request.ts';
import { confText } from '../../src/cli/conf/conf-text.ts';
import { generateConf } from '../../src/cli/conf/generate-conf.ts';
import { validateFile } from '../../src/cli/validate/validate-file.ts';
import { networkTypes } from '../../src/config/network-config.ts';
import { networkOf, type Prefix } from '../../src/net/prefix.ts';
import { hostAdapters } from '../unit/plan/host-adapters.ts';
import type { Property } from './property.ts';

const octet = fc.constantFrom(0, 1, 2, 3, 10, 96, 127, 169, 224, 244, 254, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const ipv6 = fc.constantFrom(
  'fd00::',
  'fd00:10:244::',
  'fd00:10:244:1::',
  'fe80::',
  'ff02::',
  '::',
  '2001:db8::2',
);
const ipv4Prefix = fc.record({ address: ipv4, length: fc.integer({ min: 0, max: 32 }) });
const ipv6Prefix = fc.record({ address: ipv6, length: fc.constantFrom(0, 16, 48, 64, 112, 125, 126, 128) });

/** Mostly subnets that a node could have, without host bits. */
const prefix: fc.Arbitrary<Prefix> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom({ address: '10.244.1.0', length: 24 }, { address: '10.0.0.0', length: 24 }),
  },
  { weight: 2, arbitrary: fc.constant({ address: 'fd00:10:244:1::', length: 64 }) },
  fc.oneof(ipv4Prefix, ipv6Prefix).map(networkOf),
  fc.oneof(ipv4Prefix, ipv6Prefix),
);
const prefixes = fc.array(prefix, { maxLength: 2 });
const cluster = fc.oneof(
  fc.constant([{ address: '10.244.0.0', length: 16 }]),
  fc.constant([
    { address: '10.244.0.0', length: 16 },
    { address: 'fd00:10:244::', length: 48 },
  ]),
  prefixes,
);
const addresses = fc.array(
  fc.oneof(fc.constantFrom('10.244.1.1', '10.244.1.9', 'fd00:10:244:1::9'), ipv4, ipv6),
  {
    maxLength: 2,
  },
);

const parts = {
  type: fc.constantFrom(...networkTypes),
  subnets: prefixes,
  clusterCidrs: fc.oneof(fc.constant([]), cluster),
  serviceCidrs: fc.oneof(fc.constant([]), fc.constant([{ address: '10.96.0.0', length: 12 }]), prefixes),
  dns: addresses,
  dnsSearch: fc.constantFrom([], ['svc.cluster.local']),
  gateways: fc.oneof(fc.constant([]), addresses),
  name: fc.constantFrom(undefined, 'pods', 'flannel.4096'),
  adapter: fc.constantFrom(undefined, 'Ethernet 2', '00-15-5D-00-00-01'),
  vsid: fc.constantFrom(undefined, 4096, 5000),
  ipam: fc.constantFrom('none', 'host-local'),
  cniVersion: fc.constantFrom(undefined, '0.3.1', '1.0.0', '1.1.0'),
} as const;
const anything: fc.Arbitrary<ConfRequest> = fc.record(parts);

/** Options that are accepted. */
const suitable: fc.Arbitrary<ConfRequest> = fc
  .record({
    type: fc.constantFrom(...networkTypes),
    length: fc.integer({ min: 17, max: 29 }),
    isDual: fc.boolean(),
    hasCluster: fc.boolean(),
    ipam: fc.constantFrom('none', 'host-local'),
  })
  .map(({ type, length, isDual, hasCluster, ipam }) => {
    const hasIPv6 = isDual && type !== 'Overlay';
    const both = (ipv4Range: Prefix, ipv6Range: Prefix) => (hasIPv6 ? [ipv4Range, ipv6Range] : [ipv4Range]);
    const isTranslated = hasCluster && ['L2Bridge', 'L2Tunnel', 'Overlay'].includes(type);
    return {
      type,
      subnets: both({ address: '10.244.0.0', length }, { address: 'fd00:10:244:1::', length: 64 }),
      clusterCidrs: isTranslated
        ? both({ address: '10.244.0.0', length: 16 }, { address: 'fd00:10:244::', length: 48 })
        : [],
      serviceCidrs: isTranslated ? [{ address: '10.96.0.0', length: 12 }] : [],
      dns: ['10.96.0.10'],
      dnsSearch: [],
      gateways: type === 'Transparent' ? ['10.244.0.5', ...(hasIPv6 ? ['fd00:10:244:1::5'] : [])] : [],
      name: undefined,
      adapter: undefined,
      vsid: undefined,
      ipam,
      cniVersion: undefined,
    };
  });

/** Mostly suitable options, with up to two others. */
const request = fc
  .tuple(suitable, anything, fc.subarray(Object.keys(parts), { maxLength: 2 }))
  .map(([base, other, keys]) => ({
    ...base,
    ...Object.fromEntries(Object.entries(other).filter(([key]) => keys.includes(key))),
  }));
const node: fc.Arbitrary<ConfNode> = fc.record({
  adapters: fc.constantFrom(undefined, [], hostAdapters),
  containerd: fc.constantFrom(undefined, '1.6.8', '1.7.20', '2.0.0', '2.0.1', '2.3.0-rc.1'),
});

export const confProperties: readonly Property[] = [
  {
    name: 'any options give sentences, or a conflist that validate accepts without warnings',
    property: fc.property(
      request,
      node,
      fc.constantFrom(undefined, 'Ethernet', 'vEthernet (\u4ee5\u592a\u7f51)'),
      (asked, has, adapter) => {
        const generated = generateConf(asked, has, adapter);
        if ('problems' in generated) {
          assert.notEqual(generated.problems.length, 0);
          for (const problem of generated.problems) assert.match(problem, /^--[a-z-]+ [^\n]*[^.\n]$/);
          return;
        }
        const text = confText(generated.conflist);
        assert.match(text, /^[\n -~]*\n$/);
        assert.deepEqual(JSON.parse(text), generated.conflist);
        const { problems, warnings, notes } = validateFile(
          new TextEncoder().encode(text),
          '10-win-hcn.conflist',
          'win-hcn.exe',
        );
        // Whether the node has another NAT network is unknown to validate.
        const others = warnings.filter(({ text }) => !text.includes('if the node has another NAT network'));
        assert.deepEqual({ problems, others, notes }, { problems: [], others: [], notes: [] });
      },
    ),
    runs: { test: 1000, fuzz: 30_000 },
  },
];
