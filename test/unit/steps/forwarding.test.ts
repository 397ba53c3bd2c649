import { describe, expect, test } from 'vitest';
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
async function enabled(appearsAfter: number, refused?: number) {
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

describe('forwarding', () => {
  test('is enabled between the host endpoint and the adapter of the network, without a default route', async () => {
    expect(await enabled(0)).toEqual({
      error: undefined,
      calls: ['forward 20', 'forward 12', 'no default route 20'],
      milliseconds: 0,
    });
  });

  test('waits for the interface of the host endpoint', async () => {
    expect(await enabled(2)).toMatchObject({ error: undefined, milliseconds: 500 });
  });

  test('fails with code 11 if the interface does not appear within 10 s', async () => {
    expect(await enabled(Number.POSITIVE_INFINITY)).toEqual({
      error: expect.objectContaining({
        code: 11,
        message:
          'no interface has the address of host endpoint 10.244.2.2, or the adapter of the network has no IPv4 address',
        details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden',
      }),
      calls: [],
      milliseconds: 10_000,
    });
  });

  test.each([
    [20, ['forward 20']],
    [12, ['forward 20', 'forward 12']],
  ])('fails if Windows refuses interface %d', async (index, calls) => {
    expect(await enabled(0, index)).toMatchObject({ error: { message: 'refused' }, calls });
  });
});
