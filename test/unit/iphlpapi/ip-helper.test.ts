import { expect, test } from 'vitest';
import { type IpHelper, interceptIpHelperCalls } from '../../../src/iphlpapi/ip-helper.ts';
import { IpHelperError, IpHelperTimeout, isEffectUnknown } from '../../../src/iphlpapi/windows-errors.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';

const route = newNodeRoute(7, '10.1.0.0/24', '192.168.1.6');
const text = 'route to 10.1.0.0/24 through 192.168.1.6 on interface 7';

/** Each function returns its own name and arguments. */
const echo = Object.fromEntries(
  ['readAdapters', 'readRoutes', 'enableForwarding', 'removeDefaultRoutes', 'createRoute', 'deleteRoute'].map(
    (name) => [name, async (...given: readonly unknown[]) => [name, ...given]],
  ),
) as unknown as IpHelper;

test.each<readonly [string, (helper: IpHelper) => Promise<unknown>, readonly unknown[]]>([
  ['listing the network adapters of this host', (helper) => helper.readAdapters(), ['readAdapters']],
  [
    'enabling IPv4 forwarding on interface 7',
    (helper) => helper.enableForwarding(7),
    ['enableForwarding', 7],
  ],
  [
    'deleting the default routes of interface 7',
    (helper) => helper.removeDefaultRoutes(7),
    ['removeDefaultRoutes', 7],
  ],
  ['listing the routes of this host', (helper) => helper.readRoutes(), ['readRoutes']],
  [`creating the ROUTE`, (helper) => helper.createRoute(route), ['createRoute', route]],
  [`deleting the ROUTE`, (helper) => helper.deleteRoute(route), ['deleteRoute', route]],
])('%s is what an interceptor gets of the call', async (action, run, made) => {
  const actions: string[] = [];
  let loads = 0;
  const load = async () => {
    loads += 1;
    return echo;
  };
  const helper = interceptIpHelperCalls(load, (given, make) => {
    actions.push(given);
    return make();
  });
  expect(loads).toBe(0);
  await expect(run(helper)).resolves.toEqual(made);
  await run(helper);
  expect(actions).toEqual([action.replace('ROUTE', text), action.replace('ROUTE', text)]);
  expect(loads).toBe(1);
});

test.each<readonly [string, Error, boolean]>([
  ['a timeout of a call that was made', new IpHelperTimeout('x', 30), true],
  ['a call that was skipped', new IpHelperTimeout('x', 0), false],
  ['another error', new Error('x'), false],
  ['RPC_S_CALL_FAILED', new IpHelperError('x', 1726), true],
  ['a service that is not running', new IpHelperError('x', 1722), false],
])('whether the call took effect: %s', (_, error, isUnknown) => {
  expect([isEffectUnknown(error), error.name]).toEqual([isUnknown, error.constructor.name]);
});
