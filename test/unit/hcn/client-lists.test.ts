import { describe, expect, test } from 'vitest';
import { type HcnClient, hcnClient } from '../../../src/hcn/client.ts';
import type { Kind } from '../../../src/hcn/guid.ts';
import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const other = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';

describe('a list', () => {
  const ids = [id, other];
  const lists: readonly (readonly [
    Kind,
    (hcn: HcnClient) => Promise<readonly { readonly ID?: string }[]>,
  ])[] = [
    ['Network', (hcn) => hcn.findNetworks()],
    ['Endpoint', (hcn) => hcn.findEndpoints()],
    ['Namespace', (hcn) => hcn.findNamespaces()],
    ['Namespace', (hcn) => hcn.findDefaultNamespaces()],
    ['LoadBalancer', (hcn) => hcn.findLoadBalancers()],
  ];

  /** A library with two objects of each kind, of which the second can be broken or gone. */
  const listing = (second: 'there' | 'gone' | 'broken') => {
    const response = (value: unknown, hresult = 0) => ({ hresult, value, errorRecord: undefined });
    return {
      open: async (kind: Kind, one: string) => response({ kind, id: one }),
      enumerate: async () => response(JSON.stringify(ids)),
      query: async ({ id: one }: { readonly id: string }) => {
        if (one === id || second === 'there') return response(`{"ID":"${one}"}`);
        return second === 'gone' ? response('', 0x803b0002) : response('{');
      },
    } as unknown as ComputeNetworkLibrary;
  };

  test.each(lists)(
    'of kind %s has the objects in the order of HNS, without those that are gone',
    async (_, run) => {
      expect((await run(hcnClient(listing('there')))).map(({ ID }) => ID)).toEqual(ids);
      expect((await run(hcnClient(listing('gone')))).map(({ ID }) => ID)).toEqual([id]);
    },
  );

  test.each(lists)(
    'of kind %s fails if an object cannot be read, unless the caller leaves it out',
    async (kind, run) => {
      await expect(run(hcnClient(listing('broken')))).rejects.toThrow('expected JSON');
      const unreadable: unknown[] = [];
      const hcn = hcnClient(listing('broken'), (error, ...object) => {
        unreadable.push([String(error).includes('expected JSON'), ...object]);
        return undefined;
      });
      expect((await run(hcn)).map(({ ID }) => ID)).toEqual([id]);
      expect(unreadable).toEqual([[true, kind, other]]);
    },
  );
});
