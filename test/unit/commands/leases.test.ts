import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { longestAddSeconds, watchLeases } from '../../../src/commands/leases.ts';
import { readyMilliseconds } from '../../../src/commands/network.ts';
import { extraSecondsForAcls, limitsPerCall } from '../../../src/hcn/deadline.ts';
import { type FindLease, type IpamReader, timeoutSeconds } from '../../../src/ipam/delegate.ts';

const ipamWith = (findLease: FindLease | undefined): IpamReader => ({
  type: 'host-local',
  findLease,
  check: async () => undefined,
  status: async () => undefined,
});
const ips = ['10.244.1.5/24', 'fd00:10:244::5/64'].map((address) => ({ address }));
const assignment = { ips, routes: [], dns: {} };

type Found = ReturnType<FindLease>;

/** What ADD returns if an address is found like this before and after its work; the other one is held. */
function verified(address: string, before: Found, after: Found): string {
  let found = before;
  const find: FindLease = (one) => (one === address ? found : { id: 'other', seconds: 0 });
  const requireLeases = watchLeases(ipamWith(find), assignment);
  found = after;
  try {
    requireLeases();
    return 'succeeds';
  } catch (error) {
    return String(error);
  }
}

const lease = (id: string, seconds = 0) => ({ id, seconds });

describe.each(['10.244.1.5', 'fd00:10:244::5'])('an ADD with a lease of %s', (address) => {
  const released = `Error: ${address} was released by another process during this ADD: retry`;
  const late = `Error: ${address} was assigned more than 600 s ago, so gc may release it: retry`;
  test.each<[string, string, Found, Found]>([
    ['succeeds', 'that is held', lease('a'), lease('a', 600)],
    ['fails', 'that was released', lease('a'), undefined],
    ['fails', 'that another container has now', lease('a'), lease('b')],
    ['fails late', 'that is older than an ADD can take', lease('a', 600), lease('a', 600.001)],
    ['succeeds', 'that is unreadable for a moment', lease('a'), 'unreadable'],
    ['succeeds', 'whose record win-hcn does not find at first', undefined, undefined],
    ['succeeds', 'whose record appears later', undefined, lease('b', 601)],
    ['succeeds', 'whose record is unreadable at first', 'unreadable', undefined],
  ])('%s %s', (outcome, _, before, after) => {
    const expected = { succeeds: 'succeeds', fails: released, 'fails late': late }[outcome];
    expect(verified(address, before, after).replace('CniError', 'Error')).toBe(expected);
  });
});

test('an ADD whose IPAM plugin has records that win-hcn cannot read, or without one, succeeds', () => {
  expect(() => watchLeases(ipamWith(undefined), assignment)()).not.toThrow();
  expect(() => watchLeases(undefined, assignment)()).not.toThrow();
  expect(() =>
    watchLeases(
      ipamWith(() => lease('a', 601)),
      undefined,
    )(),
  ).not.toThrow();
});

test('the longest ADD is longer than all time limits at their maximum together', () => {
  const schema = JSON.parse(readFileSync('schemas/win-hcn.schema.json', 'utf8'));
  const { maximum } = schema.properties.hcnTimeoutSeconds;
  const document = '"Type":"ACL"'.repeat(10_000);
  const acls = extraSecondsForAcls({ name: 'HcnCreateEndpoint', document });
  const assignments = 3 * timeoutSeconds;
  const limits = limitsPerCall(maximum).total + 2 * acls + readyMilliseconds / 1000 + assignments;
  expect(limits).toBe(560);
  expect(longestAddSeconds).toBeGreaterThan(limits);
});
