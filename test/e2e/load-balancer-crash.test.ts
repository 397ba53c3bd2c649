import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/cni/error.ts';
import { applyLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer-config.ts';
import { loadBalancerId } from '../../src/model/identity.ts';
import type { SimulatedHost } from './host.ts';
import { kindsOfHresults, missingAnswers } from './matrix/effects.ts';
import { dns, lasting, startOverlayHost } from './overlay-host.ts';

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
  test.each([
    ['creating leaves nothing', () => Promise.resolve(), () => apply(), 11],
    [
      'deleting keeps the load balancer',
      () => apply(),
      () => deleteLoadBalancer(loadBalancerId('dns'), host.context),
      9,
    ],
  ] as const)('%s', async (_, prepare, work, calls) => {
    for (let k = 1; ; k += 1) {
      await host.hns.stop();
      host = await startOverlayHost();
      await prepare();
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
