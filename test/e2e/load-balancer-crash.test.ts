import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/commands/failures.ts';
import { applyLoadBalancer, deleteLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer.ts';
import type { Fault } from '../hns/faults.ts';
import type { SimulatedHost } from './host.ts';
import { dns, lasting, remote, startOverlayHost } from './overlay-host.ts';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

const apply = (changes: object = {}) => applyLoadBalancer(readLoadBalancer({ ...dns, ...changes }), host);

/** What can become of the k-th call to HCN. */
const effects: readonly (readonly [string, Fault['effect'], number])[] = [
  ['fails', { hresult: 0x80004005 }, 100],
  ['is not served', { hresult: 0x800706d9 }, 11],
  ['is lost on the way there', { drop: 'before' }, 11],
  ['is lost on the way back', { drop: 'after' }, 11],
  ['hangs', { hang: true }, 11],
];

describe.each(effects)('when the k-th call %s', (_, effect, code) => {
  const update = {
    frontendVIPs: ['10.96.0.20'],
    backends: ['192.168.1.2', { ...remote, address: '100.1.2.4' }],
  };
  const moved = { backends: [{ ...remote, providerAddress: '10.0.0.6' }] };

  test.each([
    ['a creation leaves nothing', 'unsupported', [], () => apply(), 10],
    ['an update leaves the old one', 'unsupported', [() => apply()], () => apply(update), 20],
    ['an update leaves the old one', 'ignored', [() => apply()], () => apply(update), 21],
    ['an update leaves the old one', 'applied', [() => apply()], () => apply(update), 19],
    ['a replaced endpoint is the old one', 'unsupported', [() => apply()], () => apply(moved), 18],
    ['a deletion leaves it', 'unsupported', [() => apply()], () => deleteLoadBalancer('dns', host), 9],
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
      expect(error.code).toBe(code);
      expect(lasting(host.hns.dump()), `call ${k}`).toEqual(clean);
      await work();
    }
  });
});
