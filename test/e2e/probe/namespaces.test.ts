import { expect, test } from 'vitest';
import type { Fault } from '../../simulator/hns.ts';
import { answering, noId, probeRow, refusal, returning } from './run-probe.ts';

/** Without options: on a Private network. */
const alone = { words: [] };

test.each([
  ['namespaceType', 'Host'],
  ['compartmentAfterAttach', 'none'],
  ['namespaceV1Members', 'complete'],
  ['namespaceWithEndpoint', 'detached'],
  ['detachedNamespace', 'zero GUID'],
  ['namespaceAfterDeletion', 'removed'],
  ['detachedEndpointDeletion', 'accepted'],
  ['isDefaultFilter', 'one'],
  ['attachElsewhere', 'refused'],
  ['endpointOfLoadBalancer', 'still listed'],
  ['loadBalancerDefaults', 'none'],
  ['loadBalancerIdReuse', 'accepted'],
  ['guidCase', 'lower case'],
  ['typeCase', 'documented'],
])('%s: observes %s', async (row, observed) => {
  expect(await probeRow(row, {}, [], alone)).toMatchObject({ verdict: 'holds', observed, on: 'Private' });
});

const endpointQuery = 'HcnQueryEndpointProperties';
/** The first query is the probe's own, of the node's namespace. */
const namespaceQuery = 'HcnQueryNamespaceProperties';
const references = { HostComputeNetwork: noId, HostComputeNamespace: noId };
const upper = '5EFCF8B5-0000-4000-8000-000000000001';

test.each<[row: string, observed: string, fault: Fault]>([
  ['namespaceType', 'omitted', returning(namespaceQuery, {}, 3)],
  ['namespaceType', 'Guest', returning(namespaceQuery, { Type: 'Guest' }, 3)],
  ['compartmentAfterAttach', 'assigned', returning(namespaceQuery, { NamespaceId: 4 }, 3)],
  ['namespaceV1Members', 'incomplete', returning(namespaceQuery, { CompartmentId: 0 }, 3)],
  ['namespaceWithEndpoint', 'E_ACCESSDENIED', refusal('HcnDeleteNamespace', 'E_ACCESSDENIED', 1)],
  ['namespaceWithEndpoint', 'still attached', returning(endpointQuery, { HostComputeNamespace: upper }, 2)],
  ['namespaceWithEndpoint', 'endpoint lost', refusal(endpointQuery, 'HCN_E_ENDPOINT_NOT_FOUND', 2)],
  ['detachedNamespace', 'differs', returning(endpointQuery, {}, 2)],
  [
    'namespaceAfterDeletion',
    'still listed',
    returning(namespaceQuery, { Resources: [{ Type: 'Endpoint' }] }, 3),
  ],
  ['detachedEndpointDeletion', 'refused', refusal('HcnDeleteEndpoint', 'E_ACCESSDENIED', 1)],
  [
    'detachedEndpointDeletion',
    'still listed',
    returning(namespaceQuery, { Resources: [{ Type: 'Endpoint' }] }, 3),
  ],
  ['isDefaultFilter', 'none', answering('HcnEnumerateNamespaces', [], 2)],
  ['isDefaultFilter', 'of another type', returning(namespaceQuery, { Type: 'Host' }, 2)],
  ['attachElsewhere', 'accepted', { function: 'HcnModifyNamespace', ordinal: 2, effect: { hresult: 0 } }],
  ['endpointOfLoadBalancer', 'no longer listed', returning('HcnQueryLoadBalancerProperties', {}, 2)],
  [
    'endpointOfLoadBalancer',
    'load balancer lost',
    refusal('HcnQueryLoadBalancerProperties', 'HCN_E_POLICY_NOT_FOUND', 2),
  ],
  ['endpointOfLoadBalancer', 'E_ACCESSDENIED', refusal('HcnDeleteEndpoint', 'E_ACCESSDENIED', 1)],
  ['loadBalancerDefaults', 'added', returning('HcnQueryLoadBalancerProperties', { Flags: 1 }, 2)],
  [
    'loadBalancerDefaults',
    'added',
    returning('HcnQueryLoadBalancerProperties', { SourceVIP: '10.0.0.4' }, 2),
  ],
  ['loadBalancerIdReuse', 'E_ACCESSDENIED', refusal('HcnCreateLoadBalancer', 'E_ACCESSDENIED', 2)],
  ['guidCase', 'upper case', returning(endpointQuery, { ...references, ID: upper }, 2)],
  ['guidCase', 'with braces', returning(endpointQuery, { ...references, ID: `{${upper.toLowerCase()}}` }, 2)],
  ['typeCase', 'as sent', returning('HcnQueryNetworkProperties', { Type: 'private' }, 2)],
  ['typeCase', 'E_ACCESSDENIED', refusal('HcnCreateNetwork', 'E_ACCESSDENIED', 1)],
])('%s: observes %s', async (row, observed, fault) => {
  expect(await probeRow(row, {}, [fault], alone)).toMatchObject({ on: 'Private', observed });
});

test('detachedNamespace: observes omitted', async () => {
  const faults = [2, 3].map((nth) => returning(endpointQuery, {}, nth));
  expect(await probeRow('detachedNamespace', {}, faults, alone)).toMatchObject({ observed: 'omitted' });
});

test.each<[row: string, reason: string, fault: Fault]>([
  [
    'loadBalancerConflict',
    "creating the experiment's load balancer: HCN returned E_ACCESSDENIED",
    refusal('HcnCreateLoadBalancer', 'E_ACCESSDENIED', 1),
  ],
  [
    'attachTwice',
    'attaching an endpoint: HCN returned E_ACCESSDENIED',
    refusal('HcnModifyNamespace', 'E_ACCESSDENIED', 1),
  ],
  [
    'reattachedEndpoint',
    'detaching an endpoint: HCN returned',
    refusal('HcnModifyNamespace', 'E_ACCESSDENIED', 2),
  ],
  [
    'loadBalancersOfNetwork',
    'deleting a network with endpoints: HCN',
    refusal('HcnDeleteNetwork', 'E_ACCESSDENIED', 1),
  ],
])('%s is not tried if HNS refuses the preparation: %s', async (row, reason, fault) => {
  expect(await probeRow(row, {}, [fault], alone)).toMatchObject({
    verdict: 'not tried',
    reason: expect.stringContaining(reason),
  });
});

test.each([
  ['refused', 'deleting the attached endpoint: HCN_E_REQUEST_UNSUPPORTED'],
  ['hangs', 'deleting the attached endpoint: hangs'],
] as const)(
  'namespaceAfterDeletion is not tried if HNS cannot delete the attached endpoint: %s',
  async (position, reason) => {
    const options = { switches: { attachedEndpointDeletion: position } };
    expect(await probeRow('namespaceAfterDeletion', options, [], alone)).toMatchObject({
      verdict: 'not tried',
      reason,
    });
  },
);

test('loadBalancerIdReuse is not tried if HNS chooses the IDs', async () => {
  expect(
    await probeRow('loadBalancerIdReuse', { switches: { callerIds: 'ignored' } }, [], alone),
  ).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS chooses the IDs of load balancers',
  });
});
