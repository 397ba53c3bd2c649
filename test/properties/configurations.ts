import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { sdnFlags } from '../../src/config/dialects/sdn.ts';
import { dialects } from '../../src/config/open-config.ts';
import type { HostComputeNetwork } from '../../src/hcn/documents.ts';
import { example } from '../e2e/example.ts';
import { policyExamples } from '../unit/config/policy-examples.ts';
import { publishedConfigs } from '../unit/config/published-configs.ts';
import { validConfig } from './arbitraries.ts';
import type { Json } from './changes.ts';

/** A configuration, the existing network, and the first three octets of the IPAM plugin's addresses. */
export interface Configuration {
  readonly config: Json;
  readonly before: HostComputeNetwork | undefined;
  readonly within: string;
}

function ours(config: Json): Configuration {
  const given = JSON.stringify(config);
  return { config: JSON.parse(given), before: undefined, within: withinOf(given) };
}

function withinOf(config: string): string {
  return /"(?:subnet|IpAddressPrefix)":"(\d+\.\d+\.\d+\.)0\//i.exec(config)?.[1] ?? '10.244.1.';
}

const examples = readdirSync('conflist-examples').map((file) => ours(example(file.replace('.conflist', ''))));

const policy = fc.constantFrom(...policyExamples);
const withPolicies = fc
  .tuple(validConfig, fc.array(policy, { minLength: 1, maxLength: 3 }))
  .map(([config, policies]) => {
    const of = (level: string) => policies.filter((one) => one.level === level).map((one) => one.policy);
    return ours({ ...config, endpointPolicies: of('endpoint'), networkPolicies: of('network') });
  });

const own = fc.oneof(validConfig.map(ours), fc.constantFrom(...examples), withPolicies);

const published = fc.constantFrom(
  ...publishedConfigs.map(({ config, before, pod }) => ({ config, before, within: pod.within })),
);

const route = fc.record({
  dst: fc.constantFrom('0.0.0.0/0', '::/0', '10.0.0.0/8'),
  gw: fc.constantFrom('10.244.1.1', '10.244.1.2', 'fd00::1'),
});
const dialectPolicy = fc.record({
  name: fc.constantFrom('EndpointPolicy', 'NetworkPolicy', 'endpointpolicy'),
  value: fc.oneof(
    policy.map((one): unknown => one.policy),
    fc.constantFrom<unknown>(
      { Type: 'OutBoundNAT', ExceptionList: ['10.0.0.0/8'] },
      { Type: 'ROUTE', DestinationPrefix: '10.1.0.0/16', NeedEncap: true },
      { Type: 'PA', PA: '10.0.0.4' },
      { Type: 'VSID', Settings: { VSID: 4099 } },
      { Type: 'VLAN', Settings: { VLAN: 7 } },
      { Type: 'NAT', InternalPort: 80, ExternalPort: 8080, Protocol: 'tcp' },
      { Type: 'NetAdapterName', NetworkAdapterName: 'Ethernet' },
      { Type: 'ACL', Action: 'Block', Direction: 'Out', Protocols: '17', RemotePorts: '53' },
    ),
  ),
});

/** A configuration of each dialect name, with all keys of its dialect. */
const dropIn = fc
  .record(
    {
      cniVersion: fc.constantFrom('0.2.0', '0.3.1', '1.0.0', '1.1.0'),
      name: fc.constantFrom('l2bridge', 'vxlan0', 'nat', 'cbr0', 'l2bridge-1'),
      type: fc.constantFrom(...dialects.keys(), 'NAT.exe', 'L2Tunnel', '/opt/cni/bin/SDNBridge.EXE'),
      ipam: fc.record(
        {
          type: fc.constantFrom('', 'host-local'),
          subnet: fc.constantFrom('10.244.1.0/24', 'fd00:1::/64'),
          routes: fc.array(route, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      dns: fc.constantFrom(
        {},
        { nameservers: ['10.96.0.10'], search: ['svc.cluster.local', 'cluster.local'] },
      ),
      policies: fc.array(dialectPolicy, { maxLength: 3 }),
      AdditionalArgs: fc.array(dialectPolicy, { maxLength: 3 }),
      additionalRoutes: fc.array(route, { maxLength: 2 }),
      optionalFlags: fc.dictionary(fc.constantFrom(...sdnFlags), fc.boolean()),
      endpointMacPrefix: fc.constantFrom('0E-2A', '0e-2b'),
      ipMasq: fc.boolean(),
      ipMasqNetwork: fc.constantFrom('10.244.0.0/16'),
      loopbackDSR: fc.boolean(),
      apiVersion: fc.constantFrom(1, 2),
      master: fc.constant('Ethernet'),
    },
    { requiredKeys: ['cniVersion', 'name', 'type'] },
  )
  .map((config) => ours(config));

const networks = publishedConfigs.flatMap(({ before }) => before ?? []);

export const configuration: fc.Arbitrary<Configuration> = fc.oneof(
  { weight: 3, arbitrary: own },
  { weight: 2, arbitrary: published },
  {
    weight: 2,
    arbitrary: fc
      .tuple(dropIn, fc.option(fc.constantFrom(...networks), { nil: undefined }))
      .map(([given, network]) => ({
        ...given,
        before: network && { ...network, Name: String(given.config['name']) },
        within: network ? withinOf(JSON.stringify(network)) : given.within,
      })),
  },
);
