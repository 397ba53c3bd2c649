import { describe, expect, test } from 'vitest';
import type { Fault } from '../../simulator/hns.ts';
import { startNode } from '../node.ts';
import { answering, everything, noId, probeRow, refusal, returning, runProbe } from './run-probe.ts';

/** Without options: on a Private network. */
const alone = { words: [] };

const queries = {
  network: 'HcnQueryNetworkProperties',
  endpoint: 'HcnQueryEndpointProperties',
  namespace: 'HcnQueryNamespaceProperties',
  loadBalancer: 'HcnQueryLoadBalancerProperties',
};

/** The query on which the verdict depends. The probe and the creation of objects query before. */
const decisive: readonly (readonly [row: string, query: keyof typeof queries, ordinal: number])[] = [
  ['schemaVersion', 'network', 2],
  ['detailedQuery', 'network', 2],
  ['detailedQuery', 'network', 3],
  ['guidCase', 'endpoint', 2],
  ['typeCase', 'network', 2],
  ['namespaceType', 'namespace', 3],
  ['compartmentAfterAttach', 'namespace', 3],
  ['namespaceV1Members', 'namespace', 3],
  ['namespaceWithEndpoint', 'endpoint', 2],
  ['namespaceAfterDeletion', 'namespace', 3],
  ['detachedEndpointDeletion', 'namespace', 3],
  ['emptyIpConfigurations', 'endpoint', 1],
  ['defaultMembers', 'endpoint', 1],
  ['unknownSettings', 'endpoint', 1],
  ['hcsshimMembers', 'endpoint', 1],
  ['addedExceptions', 'endpoint', 1],
  ['addedExceptions', 'endpoint', 2],
  ['loadBalancerDefaults', 'loadBalancer', 2],
  ['modifyLoadBalancer', 'loadBalancer', 2],
  ['endpointOfLoadBalancer', 'loadBalancer', 2],
];

describe.each([
  ['an empty document', {}, 'HCN returned a document without ID'],
  ['null', null, 'HCN returned no document'],
])('if a query returns %s,', (_, document, reason) => {
  test.each(decisive)('%s is not tried (%s query %i)', async (row, query, ordinal) => {
    const fault = answering(queries[query], document, ordinal);
    expect(await probeRow(row, {}, [fault], alone)).toMatchObject({
      verdict: 'not tried',
      reason: expect.stringContaining(reason),
    });
  });
});

test('secondNat is not tried if a network cannot be identified as a NAT network', async () => {
  const node = await startNode();
  try {
    await node.hcn.createNetwork(noId, {
      Name: 'other',
      Type: 'Private',
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    node.hns.inject(answering(queries.network, {}, 2));
    const { stdout } = await runProbe(node, [...everything, '--row', 'secondNat', '-o', 'json']);
    expect(JSON.parse(stdout).rows).toMatchObject([
      { verdict: 'not tried', reason: 'querying the network: HCN returned a document without ID' },
    ]);
  } finally {
    await node.stop();
  }
});

test.each(['managementIpL2Bridge', 'managementIpL2Tunnel'])(
  '%s is not tried if HNS refuses the query',
  async (row) => {
    expect(await probeRow(row, {}, [refusal(queries.network, 'E_ACCESSDENIED', 2)])).toMatchObject({
      verdict: 'not tried',
      reason: expect.stringContaining('querying the network: HCN returned E_ACCESSDENIED'),
    });
  },
);

test('guidCase is not tried if HNS omits an ID', async () => {
  const fault = returning(queries.endpoint, {}, 2);
  expect(await probeRow('guidCase', {}, [fault], alone)).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS returned an endpoint without HostComputeNetwork',
  });
});

/** Rows that look for an object in a list. The probe lists every kind before. */
const listing: readonly (readonly [row: string, kind: string, ordinal: number])[] = [
  ['networkListing', 'Network', 2],
  ['networkWithEndpoints', 'Endpoint', 2],
  ['loadBalancersOfNetwork', 'LoadBalancer', 2],
  ['deleteOpenNetwork', 'Network', 2],
  ['deleteOpenEndpoint', 'Endpoint', 2],
  ['deleteOpenNamespace', 'Namespace', 2],
  ['deleteOpenLoadBalancer', 'LoadBalancer', 2],
  ['enumerationUnderLoad', 'Network', 2],
];

describe.each<readonly [what: string, fault: (name: string, ordinal: number) => Fault, reason: string]>([
  ['is refused', (name, ordinal) => refusal(name, 'E_FAIL', ordinal), 'HCN returned E_FAIL'],
  ['returns no list', (name, ordinal) => answering(name, {}, ordinal), 'HCN returned no document'],
])('if an enumeration %s,', (_, fault, reason) => {
  test.each(listing)('%s is not tried', async (row, kind, ordinal) => {
    const faults = [fault(`HcnEnumerate${kind}s`, ordinal)];
    expect(await probeRow(row, {}, faults, alone)).toMatchObject({
      verdict: 'not tried',
      reason: expect.stringMatching(`^listing every .*: ${reason}`),
    });
  });
});

test.each([
  ['namespaceWithEndpoint', 'HcnQueryEndpointProperties'],
  ['endpointOfLoadBalancer', 'HcnQueryLoadBalancerProperties'],
])('%s is not tried if the query fails otherwise than for an absent object', async (row, query) => {
  expect(await probeRow(row, {}, [refusal(query, 'E_ACCESSDENIED', 2)], alone)).toMatchObject({
    verdict: 'not tried',
    reason: expect.stringContaining('HCN returned E_ACCESSDENIED'),
  });
});

test('returnedId is not tried if HNS creates no object', async () => {
  const faults = ['Network', 'Namespace'].map((kind) => refusal(`HcnCreate${kind}`, 'E_FAIL', 'every'));
  expect(await probeRow('returnedId', {}, faults, alone)).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS created no object',
  });
});

const onPort = (ExternalPort: number) => ({
  PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort, Flags: 0 }],
});

test.each([
  ['applied', onPort(81)],
  ['ignored', onPort(80)],
  ['changed otherwise', onPort(82)],
  ['changed otherwise', {}],
])('modifyLoadBalancer observes %s by the port', async (observed, members) => {
  const fault = returning(queries.loadBalancer, members, 2);
  expect(await probeRow('modifyLoadBalancer', {}, [fault], alone)).toMatchObject({ observed });
});
