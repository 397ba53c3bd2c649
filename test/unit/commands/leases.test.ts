import { describe, expect, test } from 'vitest';
import { watchLeases } from '../../../src/commands/leases.ts';
import type { FindLease, IpamReader } from '../../../src/ipam/delegate.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const ipamWith = (findLease: FindLease | undefined): IpamReader => ({
  type: 'host-local',
  findLease,
  check: async () => undefined,
  status: async () => undefined,
});
const ips = ['10.244.1.5/24', 'fd00:10:244::5/64'].map((address) => ({ address }));
const assignment = { ips, routes: [], dns: {} };

type Found = ReturnType<FindLease>;
type Outcome = 'succeeds' | 'fails' | 'fails late' | 'cannot read';

/** What ADD returns if an address is found like this before and after its work, and after a pause; the other one is held. */
async function verified(address: string, before: Found, after: Found, later: Found): Promise<string> {
  let found = before;
  const find: FindLease = (one) => (one === address ? found : { id: 'other', seconds: 0 });
  const pause = async (milliseconds: number) => {
    expect(milliseconds).toBe(100);
    await aTurn();
    found = later;
  };
  const leases = watchLeases(ipamWith(find), assignment, { pause });
  found = after;
  try {
    await leases.require();
    return 'succeeds';
  } catch (error) {
    return String(error);
  }
}

const lease = (id: string, seconds = 0) => ({ id, seconds });

describe.each(['10.244.1.5', 'fd00:10:244::5'])('an ADD with a lease of %s', (address) => {
  const released = `Error: ${address} was released by another process during this ADD: retry`;
  const late = `Error: ${address} was assigned more than 600 s ago, so gc may release it: retry`;
  const unreadable = `Error: the lease of ${address} cannot be read: retry`;
  test.each<[Outcome, string, Found, Found, Found?]>([
    ['succeeds', 'that is unreadable for a moment', lease('a'), 'unreadable', lease('a')],
    ['cannot read', 'that stays unreadable', lease('a'), 'unreadable', 'unreadable'],
    ['succeeds', 'that is held', lease('a'), lease('a', 600)],
    ['fails', 'that was released', lease('a'), undefined],
    ['fails', 'that another container has now', lease('a'), lease('b')],
    ['fails late', 'that is older than an ADD can take', lease('a', 600), lease('a', 600.001)],
    ['succeeds', 'whose record is unreadable at first', 'unreadable', undefined],
  ])('%s %s', async (outcome, _, before, after, later) => {
    const expected = { succeeds: 'succeeds', fails: released, 'fails late': late, 'cannot read': unreadable };
    expect((await verified(address, before, after, later)).replace('CniError', 'Error')).toBe(
      expected[outcome],
    );
  });
});

test.each<[string, FindLease | undefined, typeof assignment | undefined]>([
  ['whose IPAM plugin has records that win-hcn cannot read', undefined, assignment],
  ['without addresses', () => lease('a', 601), undefined],
])('an ADD %s succeeds, and has no leases to lose', async (_, find, assigned) => {
  const leases = watchLeases(ipamWith(find), assigned, { pause: async () => undefined });
  await expect(leases.require()).resolves.toBeUndefined();
  expect(leases.areLost()).toBe(false);
});

test.each<[string, boolean, Found, Found]>([
  ['both are held', false, lease('a'), lease('b')],
  ['one is held', false, lease('other'), lease('b')],
  ['they are gone', true, undefined, undefined],
])('the leases of an ADD, if %s, are lost: %s', (_, areLost, first, second) => {
  let found: readonly Found[] = [lease('a'), lease('b')];
  const find: FindLease = (address) => found[address === '10.244.1.5' ? 0 : 1];
  const leases = watchLeases(ipamWith(find), assignment, { pause: async () => undefined });
  found = [first, second];
  expect(leases.areLost()).toBe(areLost);
});
