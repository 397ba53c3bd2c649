import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/cni/error.ts';
import { createLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import type { SimulatedHost } from './host.ts';
import { kindsOfHresults, missingAnswers } from './matrix/effects.ts';
import { pod, schemaVersion, startOverlayHost } from './overlay-host.ts';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

const id = '8c621451-04d1-5958-8253-70a8337109b0';
const create = () =>
  createLoadBalancer(
    id,
    {
      HostComputeEndpoints: [pod],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 17, ExternalPort: 53, InternalPort: 53 }],
      SchemaVersion: schemaVersion,
    },
    host.context,
  );

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
    ['creating leaves nothing', () => Promise.resolve(), create, 2],
    ['deleting keeps the load balancer', create, () => deleteLoadBalancer(id, host.context), 5],
  ] as const)('%s', async (_, prepare, work, calls) => {
    for (let k = 1; ; k += 1) {
      await host.hns.stop();
      host = await startOverlayHost();
      await prepare();
      const { loadBalancers } = host.hns.dump();
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
      expect(host.hns.dump().loadBalancers, `call ${k}`).toEqual(loadBalancers);
      expect(error.code).toBe(code);
      await work();
    }
  });
});
