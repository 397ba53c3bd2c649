import { expect, test } from 'vitest';
import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';
import { loadLibrary } from '../../../src/system.ts';
import { probeRow } from './run-probe.ts';

/** A library of an HNS that accepts a second network or endpoint with the ID of another one. */
function acceptingTwice(library: ComputeNetworkLibrary): ComputeNetworkLibrary {
  const created = new Map<string, Promise<unknown>>();
  const once = <T>(id: string, create: () => Promise<T>): Promise<T> => {
    const result = (created.get(id) as Promise<T> | undefined) ?? create();
    created.set(id, result);
    return result;
  };
  return {
    ...library,
    create: (kind, id, settings) => once(id, () => library.create(kind, id, settings)),
    createEndpoint: (network, id, settings) => once(id, () => library.createEndpoint(network, id, settings)),
  };
}

test.each(['simultaneousNetwork', 'simultaneousBridge', 'simultaneousEndpoints'])(
  '%s: observes both accepted',
  async (row) => {
    const finding = await probeRow(row, {}, [], {
      environment: ({ outside }) => ({
        system: {
          ...outside,
          loadLibrary: async () => acceptingTwice(await (outside.loadLibrary ?? loadLibrary)()),
        },
      }),
    });
    expect(finding).toMatchObject({ verdict: 'does not hold', observed: 'both accepted' });
  },
);
