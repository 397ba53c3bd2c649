import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ConfigRequest,
  configText,
  findProblems,
  generateConfig,
  generatedTypes,
} from '../../src/cli/config/generate.ts';
import { checkFile } from '../../src/cli/conflist/check-file.ts';
import type { Prefix } from '../../src/net/prefix.ts';
import type { Property } from './property.ts';

/** Options that are accepted. */
const suitable: fc.Arbitrary<ConfigRequest> = fc
  .record({
    type: fc.constantFrom(...generatedTypes),
    length: fc.integer({ min: 17, max: 29 }),
    isDual: fc.boolean(),
    hasCluster: fc.boolean(),
    ipam: fc.constantFrom('none', 'host-local'),
    gateway: fc.constantFrom([], ['10.244.0.1'], ['10.244.0.5']),
    names: fc.constantFrom({}, { name: 'flannel.4096' }),
    adapters: fc.constantFrom({}, { adapter: 'Ethernet' }, { adapter: 'vEthernet (\u4ee5\u592a\u7f51)' }),
  })
  .map(({ type, length, isDual, hasCluster, ipam, gateway, names, adapters }) => {
    const isTranslated = hasCluster && type !== 'NAT';
    const both = (ipv4: Prefix, ipv6: Prefix) => (isDual && type !== 'Overlay' ? [ipv4, ipv6] : [ipv4]);
    return {
      ...{ type, ipam, gateway, dns: ['10.96.0.10'] },
      ...names,
      ...(type !== 'NAT' && adapters),
      subnet: both({ address: '10.244.0.0', length }, { address: 'fd00:10:244:1::', length: 64 }),
      clusterCidr: isTranslated
        ? both({ address: '10.244.0.0', length: 16 }, { address: 'fd00:10:244::', length: 48 })
        : [],
      serviceCidr: isTranslated ? [{ address: '10.96.0.0', length: 12 }] : [],
    };
  });

export const configProperties: readonly Property[] = [
  {
    name: 'suitable options give a conflist that config check accepts without warnings',
    property: fc.property(
      suitable,
      fc.constantFrom(undefined, '1.6.8', '2.0.0', '2.0.1', '2.3.0-rc.1'),
      (asked, containerd) => {
        assert.deepEqual(findProblems(asked), []);
        const conflist = generateConfig(asked, containerd);
        const text = configText(conflist);
        assert.match(text, /^[\n -~]*\n$/);
        assert.deepEqual(JSON.parse(text), conflist);
        const { problems, warnings, notes } = checkFile(
          new TextEncoder().encode(text),
          '10-win-hcn.conflist',
          'win-hcn.exe',
        );
        // Whether the node has another NAT network is unknown.
        const others = warnings.filter((warning) => !warning.text.includes('if the node has another NAT'));
        assert.deepEqual({ problems, others, notes }, { problems: [], others: [], notes: [] });
      },
    ),
    runs: { test: 500, fuzz: 30_000 },
  },
];
