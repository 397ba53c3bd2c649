import type { Guid, Kind } from '../../src/hcn/guid.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../src/hcn/library.ts';
import type { IpHelper } from '../../src/iphlpapi/ip-helper.ts';
import { IpHelperError } from '../../src/iphlpapi/windows-errors.ts';
import { parsePrefix } from '../../src/net/prefix.ts';
import { hostInterfaces, interfaceState, listedInterfaces } from './host-interfaces.ts';
import { HnsError, hresultOf } from './hresults.ts';
import { createNodeRoute, deleteNodeRoute, nodeRoutes } from './node-routes.ts';
import type { State } from './state.ts';
import type { AnswerFrame, CallFrame } from './wire.ts';

/** A call of a client that needs no DLL. */
export type LocalCall = Omit<CallFrame, 'client'>;

type Asked = Partial<LocalCall> & Pick<LocalCall, 'function'>;

/** The functions of computenetwork.dll and HNSCall without the DLL: `make` passes each call to the service. */
export function libraryWithoutDll(make: (call: LocalCall) => Promise<AnswerFrame>): ComputeNetworkLibrary {
  const call = (asked: Asked) => make({ handle: 0, guid: undefined, strings: [], ...asked });
  const text = ({ hresult, value = '', errorRecord }: AnswerFrame): HcnResponse<string> => ({
    hresult,
    value,
    errorRecord,
  });
  const nothing = ({ hresult, errorRecord }: AnswerFrame): HcnResponse => ({
    hresult,
    value: undefined,
    errorRecord,
  });
  const handle = <K extends Kind>(
    kind: K,
    id: Guid<K>,
    { hresult, handle, errorRecord }: AnswerFrame,
  ): HcnResponse<Handle<K>> => ({ hresult, value: { kind, id, pointer: handle }, errorRecord });
  const of = ({ kind, pointer }: Handle, verb: string, strings: readonly string[]) =>
    call({ function: verb.replace('*', kind), handle: Number(pointer), strings });

  return {
    enumerate: async (kind, query) =>
      text(await call({ function: `HcnEnumerate${kind}s`, strings: [query] })),
    create: async (kind, guid, settings) =>
      handle(kind, guid, await call({ function: `HcnCreate${kind}`, guid, strings: [settings] })),
    createEndpoint: async ({ pointer }, guid, settings) =>
      handle(
        'Endpoint',
        guid,
        await call({ function: 'HcnCreateEndpoint', handle: Number(pointer), guid, strings: [settings] }),
      ),
    open: async (kind, guid) => handle(kind, guid, await call({ function: `HcnOpen${kind}`, guid })),
    query: async (opened, query) => text(await of(opened, 'HcnQuery*Properties', [query])),
    modify: async (opened, settings) => nothing(await of(opened, 'HcnModify*', [settings])),
    delete: async (kind, guid) => nothing(await call({ function: `HcnDelete${kind}`, guid })),
    close: async (opened) => nothing(await of(opened, 'HcnClose*', [])),
    hnsCall: async (...strings) => text(await call({ function: 'HNSCall', strings })),
  };
}

/** Returns the IP Helper of the host with this state. */
export function ipHelperWithoutDll(state: State): IpHelper {
  const find = (index: number) => {
    const hasIp = hostInterfaces(state).some((one) => one.index === index && one.addresses.length > 0);
    const found = hasIp ? interfaceState(state, index) : undefined;
    if (found === undefined) throw new IpHelperError(`looking at interface ${index}`, 1168);
    return found;
  };
  const answering = (change: () => void): boolean => {
    try {
      change();
      return true;
    } catch (error) {
      if (!(error instanceof HnsError)) throw error;
      if (error.hresult === hresultOf('ERROR_NOT_FOUND')) return false;
      throw new IpHelperError('changing a route', error.hresult & 0xffff);
    }
  };
  return {
    readAdapters: async () =>
      listedInterfaces(state).map(({ addresses, forwarding: _, ...adapter }) => ({
        ...adapter,
        addresses: addresses.flatMap((address) => parsePrefix(address) ?? []),
      })),
    enableForwarding: async (index) => {
      find(index).forwarding = true;
    },
    removeDefaultRoutes: async (index) => {
      const gateways = hostInterfaces(state).find((one) => one.index === index)?.gateways ?? [];
      for (const gateway of gateways) find(index).removedGateways.add(gateway);
    },
    readRoutes: async () => nodeRoutes(state),
    createRoute: async (route) => void answering(() => createNodeRoute(state, route)),
    deleteRoute: async (route) => answering(() => deleteNodeRoute(state, route)),
  };
}
