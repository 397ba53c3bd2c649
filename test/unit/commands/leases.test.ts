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

describe.each(['10.244.1.5', 'fd00:10:244::5'])('an ADD with a lease of %s', (address) => {
  const released = `Error: ${address} was released by another process during this ADD: retry`;
  const late = `Error: ${address} was assigned more than 600 s ago, so gc may release it: retry`;
  const unreadable = `Error: the lease of ${address} cannot be read: retry`;
  test.each<[Outcome, string, Found, Found, Found?]>([
    ['succeeds', 'whose record is unreadable at first', 'unreadable', undefined],
  ])('%s %s', async (outcome, _, before, after, later) => {
    const expected = { succeeds: 'succeeds', fails: released, 'fails late': late, 'cannot read': unreadable };
    expect((await verified(address, before, after, later)).replace('CniError', 'Error')).toBe(
      expected[outcome],
    );
  });
});
