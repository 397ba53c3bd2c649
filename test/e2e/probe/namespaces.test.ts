import { expect, test } from 'vitest';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import type { Fault } from '../../simulator/hns.ts';
import { findRow } from './find-row.ts';

/** Without options: on a Private network. */
const words: readonly string[] = [];

test.each([
  ['namespaceType', 'Host'],
  ['compartmentAfterAttach', 'none'],
  ['namespaceV1Members', 'complete'],
  ['namespaceWithEndpoint', 'detached'],
  ['detachedNamespace', 'zero GUID'],
  ['namespaceAfterDeletion', 'absent'],
  ['detachedEndpointDeletion', 'accepted'],
  ['isDefaultFilter', 'one'],
  ['loadBalancerDefaults', 'none'],
  ['loadBalancerIdReuse', 'accepted'],
  ['guidCase', 'lower case'],
  ['typeCase', 'documented'],
])('%s: observes %s', async (row, observed) => {
  expect(await findRow(row, { words })).toMatchObject({ verdict: 'holds', observed, on: 'Private' });
});

const answer = (name: string, ordinal: number, document: unknown): Fault => ({
  function: name,
  ordinal,
  effect: { answer: JSON.stringify(document) },
});
const refusal = (name: string, ordinal: number): Fault => ({
  function: name,
  ordinal,
  effect: { hresult: hresultOf('E_ACCESSDENIED') },
});
const endpointQuery = 'HcnQueryEndpointProperties';
/** The first query is the probe's own, of the node's namespace. */
const namespaceQuery = 'HcnQueryNamespaceProperties';
const upper = '5EFCF8B5-0000-4000-8000-000000000001';

test.each<[row: string, observed: string, fault: Fault]>([
  ['namespaceType', 'omitted', answer(namespaceQuery, 3, {})],
  ['namespaceType', 'Guest', answer(namespaceQuery, 3, { Type: 'Guest' })],
  ['compartmentAfterAttach', 'assigned', answer(namespaceQuery, 3, { NamespaceId: 4 })],
  ['namespaceV1Members', 'incomplete', answer(namespaceQuery, 3, { CompartmentId: 0 })],
  ['namespaceWithEndpoint', 'E_ACCESSDENIED', refusal('HcnDeleteNamespace', 1)],
  ['namespaceWithEndpoint', 'still named', answer(endpointQuery, 2, { HostComputeNamespace: upper })],
  ['namespaceWithEndpoint', 'endpoint lost', refusal(endpointQuery, 2)],
  ['detachedNamespace', 'omitted', { ...answer(endpointQuery, 1, {}), ordinal: 'every' }],
  ['detachedNamespace', 'differs', answer(endpointQuery, 2, {})],
  ['namespaceAfterDeletion', 'listed', answer(namespaceQuery, 3, { Resources: [{ Type: 'Endpoint' }] })],
  ['detachedEndpointDeletion', 'refused', refusal('HcnDeleteEndpoint', 1)],
  ['detachedEndpointDeletion', 'listed', answer(namespaceQuery, 3, { Resources: [{ Type: 'Endpoint' }] })],
  ['isDefaultFilter', 'none', answer('HcnEnumerateNamespaces', 2, [])],
  ['isDefaultFilter', 'of another type', answer(namespaceQuery, 2, { Type: 'Host' })],
  ['loadBalancerDefaults', 'added', answer('HcnQueryLoadBalancerProperties', 2, { Flags: 1 })],
  ['loadBalancerDefaults', 'added', answer('HcnQueryLoadBalancerProperties', 2, { SourceVIP: '10.0.0.4' })],
  ['loadBalancerIdReuse', 'E_ACCESSDENIED', refusal('HcnCreateLoadBalancer', 2)],
  ['guidCase', 'upper case', answer(endpointQuery, 2, { ID: upper })],
  ['guidCase', 'with braces', answer(endpointQuery, 2, { ID: `{${upper.toLowerCase()}}` })],
  ['typeCase', 'as sent', answer('HcnQueryNetworkProperties', 2, { Type: 'private' })],
  ['typeCase', 'E_ACCESSDENIED', refusal('HcnCreateNetwork', 1)],
])('%s: observes %s', async (row, observed, fault) => {
  const { on, observed: actual } = await findRow(row, { words, faults: [fault] });
  expect({ on, observed: actual }).toEqual({ on: 'Private', observed });
});

test.each<[row: string, reason: string, fault: Fault]>([
  [
    'loadBalancerConflict',
    "creating the experiment's object: HCN returned E_ACCESSDENIED",
    refusal('HcnCreateLoadBalancer', 1),
  ],
  ['attachTwice', 'attaching an endpoint: HCN returned E_ACCESSDENIED', refusal('HcnModifyNamespace', 1)],
  ['reattachedEndpoint', 'detaching an endpoint: HCN returned', refusal('HcnModifyNamespace', 2)],
  ['loadBalancersOfNetwork', 'deleting a network with endpoints: HCN', refusal('HcnDeleteNetwork', 1)],
])('%s is not tried if HNS refuses the preparation: %s', async (row, reason, fault) => {
  expect(await findRow(row, { words, faults: [fault] })).toMatchObject({
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
    expect(await findRow('namespaceAfterDeletion', { options, words })).toMatchObject({
      verdict: 'not tried',
      reason,
    });
  },
);

test('loadBalancerIdReuse is not tried if HNS chooses ids', async () => {
  expect(
    await findRow('loadBalancerIdReuse', { options: { switches: { callerIds: 'ignored' } } }),
  ).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS chooses the ids of load balancers',
  });
});
