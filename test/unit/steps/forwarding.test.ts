import { expect, test } from 'vitest';
import type { IpHelper } from '../../../src/iphlpapi/ip-helper.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { enableForwarding } from '../../../src/steps/routes.ts';
import { aTurn } from '../hcn/small-hcn.ts';
import { hostAdapters, hostEndpointInterface } from '../plan/host-adapters.ts';

const network = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  SchemaVersion: { Major: 2, Minor: 0 },
};

/** Enables forwarding on a node whose host endpoint appears after some reads. `refused` is an interface that Windows refuses. */
async function enabled(appearsAfter: number, refused: number) {
  let time = 0;
  let reads = 0;
  const calls: string[] = [];
  const change = (name: string) => async (index: number) => {
    await aTurn();
    calls.push(`${name} ${index}`);
    if (index === refused) throw new Error('refused');
  };
  const ipHelper = {
    readAdapters: async (): Promise<readonly HostAdapter[]> =>
      reads++ < appearsAfter ? hostAdapters : [...hostAdapters, hostEndpointInterface],
    enableForwarding: change('forward'),
    removeDefaultRoutes: change('no default route'),
  } as unknown as IpHelper;
  const timer = (milliseconds: number, call: () => void) => {
    time += milliseconds;
    queueMicrotask(call);
    return { cancel: () => undefined };
  };
  const error: unknown = await enableForwarding(
    network,
    { address: '10.244.2.2' },
    {
      ipHelper,
      timer,
      now: () => time,
    },
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, calls, milliseconds: time };
}

const absent = {
  code: 11,
  message:
    'no interface has the address of host endpoint 10.244.2.2, or the adapter of the network has no IPv4 address',
  details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
};
const refusal = { message: 'refused' };
const all = ['forward 20', 'forward 12', 'no default route 20'];

test.each([
  ['is enabled between the host endpoint and the adapter, without a default route', 0, 0, undefined, all, 0],
  ['waits for the interface of the host endpoint', 2, 0, undefined, all, 500],
  ['fails with code 11 if the interface does not appear within 10 s', 99, 0, absent, [], 10_000],
  ['fails if Windows refuses the host endpoint', 0, 20, refusal, all.slice(0, 1), 0],
  ['fails if Windows refuses the adapter', 0, 12, refusal, all.slice(0, 2), 0],
])('forwarding %s', async (_, appearsAfter, refused, failure, calls, milliseconds) => {
  const { error, ...rest } = await enabled(appearsAfter, refused);
  expect(rest).toEqual({ calls, milliseconds });
  expect(error).toEqual(failure && expect.objectContaining(failure));
});
