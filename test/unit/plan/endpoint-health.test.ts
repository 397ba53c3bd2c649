import { describe, expect, test } from 'vitest';
import { attachedTo } from '../../../src/model/readiness.ts';
import { healthNotice, stateDifferences } from '../../../src/plan/endpoint-health.ts';

const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const endpoint = {
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
  SchemaVersion: { Major: 2, Minor: 0 },
};
const remedy =
  'See what HNS could not do with Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20, correct it, then DEL and ADD.';

test.each([
  ['a namespace', namespace, namespace],
  ['none, as the zero GUID says', '00000000-0000-0000-0000-000000000000', undefined],
  ['none, as an empty member says', '', undefined],
  ['none, as a missing member says', undefined, undefined],
])('an endpoint is attached to %s', (_, HostComputeNamespace, expected) => {
  const given = HostComputeNamespace === undefined ? {} : { HostComputeNamespace };
  expect(attachedTo({ ...endpoint, ...given })).toBe(expected);
});

describe('the state of an endpoint', () => {
  test.each([undefined, 0, 1, 2, 3, 4, 7])('%j is none of a failure', (State) => {
    expect(stateDifferences({ ...endpoint, ...(State !== undefined && { State }) })).toEqual([]);
  });

  test.each([
    [5, `HNS says the endpoint is degraded. ${remedy}`],
    [6, `HNS says the endpoint is destroyed. ${remedy}`],
  ])('%d is one', (State, expected) => {
    expect(stateDifferences({ ...endpoint, State })).toEqual([expected]);
  });
});

describe('the health of an endpoint', () => {
  test.each([{}, { Health: {} }, { Health: { Data: { LastErrorCode: 0 } } }])('%j is good', (given) => {
    expect(healthNotice({ ...endpoint, ...given })).toEqual([]);
  });

  test('with an error is told with the unsigned number of that', () => {
    const Health = { Data: { LastErrorCode: -2_147_467_259 } };
    expect(healthNotice({ ...endpoint, Health })).toEqual([
      expect.stringMatching(
        /^HNS says the endpoint is not healthy: E_FAIL \(0x80004005\): Unspecified error\. ./,
      ),
    ]);
  });
});
