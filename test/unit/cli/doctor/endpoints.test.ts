import { describe, expect, test } from 'vitest';
import { duplicateAddresses, staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import { networkId } from '../../../../src/model/identity.ts';
import { diagnosisTexts, endpoint, node, withAddress } from './facts.ts';

describe('addresses', () => {
  test('fail if two endpoints of this node share one on the same network', () => {
    const endpoints = [
      withAddress('a', '10.244.1.7'),
      withAddress('b', '10.244.1.7'),
      withAddress('c', '10.244.1.7', { HostComputeNetwork: networkId('other') }),
    ];
    expect(diagnosisTexts(duplicateAddresses.diagnose(node({ endpoints })))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.7: fd6bec0f, fd6bec0f | see: win-hcn show ip 10.244.1.7',
    ]);
  });

  test('pass if two remote endpoints share one', () => {
    const endpoints = [
      withAddress('a', '10.244.2.7', { Flags: 1 }),
      withAddress('b', '10.244.2.7', { Flags: 1 }),
    ];
    expect(duplicateAddresses.diagnose(node({ endpoints }))).toMatchObject([{ verdict: 'PASS' }]);
  });
});

test('three of many leftovers are listed', () => {
  const endpoints = ['1', '2', '3', '4', '5'].map((id) => endpoint(id, { Flags: 1 }));
  expect(diagnosisTexts(staleEndpoints.diagnose(node({ endpoints })))).toEqual([
    'WARN 5 leftovers: fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it; fd6bec0f, no load balancer refers to it and 2 more | see: win-hcn gc',
  ]);
});
