import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/cni/error.ts';
import { applyLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer-config.ts';
import { loadBalancerId } from '../../src/model/identity.ts';
import type { SimulatedHost } from './host.ts';
import { kindsOfHresults, missingAnswers } from './matrix/effects.ts';
import { dns, lasting, remote, startOverlayHost } from './overlay-host.ts';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

const apply = (changes: object = {}) =>
  applyLoadBalancer(readLoadBalancer({ ...dns, ...changes }), host.context);

/** Effects on the k-th call to HCN after which the request can roll back. */
const effects = [...kindsOfHresults, ...missingAnswers].flatMap(({ name, reported, fault: effect, late }) => {
  const code = new Map([
    ['refused', 100],
    ['no response', 11],
  ]).get(reported);
  return effect === undefined || code === undefined || late !== undefined ? [] : [{ name, effect, code }];
});

describe.each(effects)('when the k-th call $name', ({ effect, code }) => {
  const update = {
    frontendVIPs: ['10.96.0.20'],
    backends: ['192.168.1.2', { ...remote, address: '100.1.2.4' }],
  };
  const moved = { backends: [{ ...remote, providerAddress: '10.0.0.6' }] };

  test.each([
    ['creating leaves nothing', 'unsupported', [], () => apply(), 11],
    ['an update keeps the old load balancer', 'unsupported', [() => apply()], () => apply(update), 21],
    ['an update keeps the old load balancer', 'ignored', [() => apply()], () => apply(update), 22],
    ['an update keeps the old load balancer', 'applied', [() => apply()], () => apply(update), 20],
    ['replacing an endpoint keeps the old one', 'unsupported', [() => apply()], () => apply(moved), 19],
    [
      'deleting keeps the load balancer',
      'unsupported',
      [() => apply()],
      () => deleteLoadBalancer(loadBalancerId('dns'), host.context),
      9,
    ],
  ] as const)('%s (HcnModifyLoadBalancer is %s)', async (_, modifyLoadBalancer, before, work, calls) => {
    for (let k = 1; ; k += 1) {
      await host.hns.stop();
      host = await startOverlayHost({ switches: { modifyLoadBalancer } });
      for (const prepare of before) await prepare();
      const clean = lasting(host.hns.dump());
      host.hns.inject({ ordinal: k, effect });
      const error = await work().then(
        () => undefined,
        (error: unknown) => toCniError(error),
      );
      host.hns.clearFaults();
      if (error === undefined) {
        expect(k - 1).toBe(calls);
        return;
      }
      expect(lasting(host.hns.dump()), `call ${k}`).toEqual(clean);
      expect(error.code).toBe(code);
      await work();
    }
  });
});
