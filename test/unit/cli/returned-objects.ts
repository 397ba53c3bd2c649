import type { ComputeNetworkLibrary, HcnResponse } from '../../../src/hcn/library.ts';
import type { Inventory } from '../../../src/model/inventory.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import type { System } from '../../../src/system.ts';

/**
 * The system of a node whose HCN returns these objects as they are, and whose calls take no time. Nothing can be changed, except that
 * the IDs of objects to delete are added to `deleted` if it is given.
 */
export function systemReturning(
  { networks = [], endpoints = [], namespaces = [], loadBalancers = [] }: Partial<Inventory>,
  adapters: readonly HostAdapter[] | 'unreadable' = [],
  deleted?: string[],
): Partial<System> {
  const objects = {
    Network: networks,
    Endpoint: endpoints,
    Namespace: namespaces,
    LoadBalancer: loadBalancers,
  } satisfies Record<string, readonly { readonly ID?: string }[]>;
  const answer = <T>(value: T): HcnResponse<T> => ({ hresult: 0, value, errorRecord: undefined });
  const refuse = (): never => {
    throw new Error('nothing can be changed');
  };
  const library: ComputeNetworkLibrary = {
    enumerate: async (kind) => answer(JSON.stringify(objects[kind].map(({ ID }) => ID))),
    open: async (kind, id) => answer({ kind, id, pointer: 0n }),
    query: async ({ kind, id }) => answer(JSON.stringify(objects[kind].find(({ ID }) => ID === id))),
    close: async () => answer(undefined),
    create: refuse,
    createEndpoint: refuse,
    modify: refuse,
    delete: async (_, id) => (deleted === undefined ? refuse() : answer(void deleted.push(id))),
    hnsCall: refuse,
  };
  const readAdapters = async () => {
    if (adapters === 'unreadable') throw new Error('Windows does not return the adapters');
    return adapters;
  };
  return {
    loadLibrary: async () => library,
    loadIpHelper: async () => ({
      readAdapters,
      readRoutes: async () => [],
      enableForwarding: refuse,
      removeDefaultRoutes: refuse,
      createRoute: refuse,
      deleteRoute: refuse,
    }),
    timer: () => ({ cancel: () => undefined }),
    now: () => 0,
    logFile: '',
  };
}
