import { expect, test } from 'vitest';
import { staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import { endpointId, endpointName } from '../../../../src/model/identity.ts';
import { diagnosisTexts, endpoint, node, pods } from './facts.ts';

test('three of many leftovers are listed', () => {
  const endpoints = ['1', '2', '3', '4', '5'].map((id) => endpoint(id, { Flags: 1 }));
  expect(diagnosisTexts(staleEndpoints.diagnose(node({ endpoints })))).toEqual([
    'WARN 5 leftovers: fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it and 2 more | see: win-hcn gc',
  ]);
});

const attachment = { containerId: 'gone', ifname: 'eth0', network: pods.Name };
const ours = endpoint('', { ID: endpointId(attachment), Name: endpointName(attachment) });
const theirs = endpoint('2', { Name: 'c0ffee_pods', State: 1 });

test.each([
  [
    'of win-hcn',
    [ours],
    'WARN 1 leftover: 0651ec30 (container gone), in no namespace | fix: win-hcn gc --yes | see: win-hcn gc',
  ],
  [
    'of another plugin',
    [theirs],
    'WARN 1 leftover: fd6bec0f (container c0ffee), in no namespace | see: win-hcn gc --other-plugins',
  ],
  [
    'of both',
    [ours, theirs],
    'WARN 2 leftovers: 0651ec30 (container gone), in no namespace; fd6bec0f (container c0ffee), in no namespace; the fix deletes only those of win-hcn (1 of 2) | fix: win-hcn gc --yes | see: win-hcn gc --other-plugins',
  ],
])('leftovers %s have the commands that list and delete them', (_, endpoints, expected) => {
  expect(diagnosisTexts(staleEndpoints.diagnose(node({ endpoints })))).toEqual([expected]);
});
