import { describe, expect, test } from 'vitest';
import { newProbeFrontend, newProbeId, newProbeName, subnetsBeside } from '../../../src/cli/probe/names.ts';
import { planOf } from '../../../src/cli/probe/preview.ts';
import { rows } from '../../../src/cli/probe/rows.ts';
import { isFailure } from '../../../src/hcn/hresults.ts';
import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';
import { isObject } from '../../../src/json/members.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { profileNames } from '../../simulator/profiles.ts';
import { variantNames, variants } from '../../simulator/variants/variants.ts';
import { everything, runProbe, startProbedNode, systemWith } from './run-probe.ts';

function typeIn(document: unknown): string {
  return isObject(document) ? String(document['Type']) : '';
}

type Answers = Readonly<Record<string, unknown>>;

/** Replaces what HNS refuses to create a second time: the address, the frontend, the name or the subnet. */
function acceptable(settings: string): string {
  const { IpConfigurations: _, FrontendVIPs, Ipams, ...others } = JSON.parse(settings) as Answers;
  const { prefix = '', gateway = '' } = newSubnet?.() ?? {};
  const Subnets = [
    { IpAddressPrefix: prefix, Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }] },
  ];
  return JSON.stringify({
    ...others,
    ...(FrontendVIPs !== undefined && { FrontendVIPs: [newProbeFrontend()] }),
    ...(Ipams !== undefined && { Name: newProbeName(), ID: undefined, Ipams: [{ Type: 'Static', Subnets }] }),
  });
}
const newSubnet = subnetsBeside('198.19.0.1');

/** An HNS that creates another object where it should refuse one. */
function permissive(library: ComputeNetworkLibrary): ComputeNetworkLibrary {
  return {
    ...library,
    create: async (kind, id, settings) => {
      const response = await library.create(kind, id, settings);
      return isFailure(response.hresult)
        ? library.create(kind, newProbeId(), acceptable(settings))
        : response;
    },
    createEndpoint: async (network, id, settings) => {
      const response = await library.createEndpoint(network, id, settings);
      return isFailure(response.hresult)
        ? library.createEndpoint(network, newProbeId(), acceptable(settings))
        : response;
    },
  };
}

/** The objects that a probe created on a node, and all its calls. */
async function countOn(
  options: HnsOptions,
  words: readonly string[],
  change = (library: ComputeNetworkLibrary) => library,
) {
  const node = await startProbedNode(options);
  await runProbe(node, words, { system: systemWith(node, change) });
  const { calls } = node.hns;
  await node.stop();
  const types = calls.flatMap(({ function: name, hresult, document }) =>
    name === 'HcnCreateNetwork' && hresult === 0 ? [typeIn(document)] : [],
  );
  const of = (kind: string) =>
    calls.filter(({ function: name, hresult }) => name === `HcnCreate${kind}` && hresult === 0).length;
  const external = types.filter((type) => /^(L2Bridge|L2Tunnel|Overlay|Transparent)$/.test(type));
  return {
    networks: {
      Private: types.filter((type) => type === 'Private').length,
      NAT: types.filter((type) => type === 'NAT' || type === 'Internal').length,
      external: external.length,
    },
    externalTypes: external,
    objects: {
      Network: types.length,
      Endpoint: of('Endpoint'),
      Namespace: of('Namespace'),
      LoadBalancer: of('LoadBalancer'),
    },
    calls: calls.length,
  };
}

const runs: readonly (readonly [string, readonly string[]])[] = [
  ['without options', []],
  ['with --nat', ['--nat']],
  ['with --restart-hns', ['--restart-hns']],
  ['with --adapter', ['--adapter', 'Ethernet 2']],
  ['with every option', everything.filter((word) => word !== '--yes')],
];

describe.each(runs)('a probe %s', (_, words) => {
  const permissions = {
    adapter: words.includes('--adapter') ? 'Ethernet 2' : undefined,
    nat: words.includes('--nat'),
    restart: words.includes('--restart-hns'),
  };
  const { networks, externalTypes, objects } = planOf(rows, permissions, false);

  test('creates as many objects as the preview shows, if HNS accepts what it should refuse', async () => {
    const { calls, ...counted } = await countOn({}, [...words, '--yes'], permissive);
    expect(counted).toEqual({ networks, externalTypes, objects });
  });

  test('creates fewer if HNS refuses that', async () => {
    const counted = await countOn({}, [...words, '--yes']);
    expect(counted.externalTypes).toEqual(externalTypes);
    for (const kind of ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'] as const)
      expect(counted.objects[kind], kind).toBeLessThanOrEqual(objects[kind]);
    expect(counted.objects.Endpoint).toBeLessThan(objects.Endpoint);
  });
});

test('the preview of each row alone has the objects that it creates at most', async () => {
  const permissions = { adapter: 'Ethernet 2', nat: true, restart: true };
  for (const row of rows) {
    const { networks, externalTypes, objects } = planOf([row], permissions, false);
    const { calls, ...counted } = await countOn({}, [...everything, '--row', row.id], permissive);
    expect({ row: row.id, ...counted }).toEqual({ row: row.id, networks, externalTypes, objects });
  }
});

/** The service as each profile, and with every variant in its last position. */
const last = Object.fromEntries(variantNames.map((name) => [name, variants[name].positions.at(-1)]));
const nodes: readonly (readonly [string, HnsOptions])[] = [
  ...profileNames.map((profile) => [profile, { profile }] as const),
  ['with every variant in its last position', { switches: { ...last, attachedEndpointDeletion: 'refused' } }],
];

test.each(nodes)('on %s, a run stays within its limits of networks and calls', async (_, options) => {
  const plain = await countOn(options, ['--yes']);
  expect(plain.calls).toBeLessThanOrEqual(300);
  expect(plain.networks).toEqual({ Private: expect.any(Number), NAT: 0, external: 0 });
  expect(plain.networks.Private).toBeLessThanOrEqual(3);
  const { networks } = await countOn(options, everything);
  expect(networks.Private).toBeLessThanOrEqual(3);
  expect(networks.NAT).toBeLessThanOrEqual(2);
  expect(networks.external).toBeLessThanOrEqual(3);
});

test.each(nodes)(
  'on %s, a run stays within them if HNS accepts what it should refuse',
  async (_, options) => {
    const { networks } = await countOn(options, everything, permissive);
    expect(networks.Private).toBeLessThanOrEqual(3);
    expect(networks.NAT).toBeLessThanOrEqual(2);
    expect(networks.external).toBeLessThanOrEqual(2);
  },
);
