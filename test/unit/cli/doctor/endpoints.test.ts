import { expect, test } from 'vitest';
import { staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import { diagnosisTexts, endpoint, node } from './facts.ts';

test('three of many leftovers are listed', () => {
  const endpoints = ['1', '2', '3', '4', '5'].map((id) => endpoint(id, { Flags: 1 }));
  expect(diagnosisTexts(staleEndpoints.diagnose(node({ endpoints })))).toEqual([
    'WARN 5 leftovers: fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it and 2 more | see: win-hcn gc',
  ]);
});
