import { expect } from 'vitest';
import { type HcnClient, hcnClient } from '../../../src/hcn/client.ts';
import { HcnTimeout } from '../../../src/hcn/errors.ts';
import type { Guid, Kind } from '../../../src/hcn/guid.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from '../../../src/hcn/library.ts';

type Document = Readonly<Record<string, unknown>> & { readonly ID: Guid };
type Given = Document | (object & { readonly ID: Guid });

/** A failure of a call: an HRESULT, an invalid response, a timeout, or an exception. */
export type Fault = number | { readonly answer: string } | 'late' | 'skipped' | Error;

export interface SmallHcn {
  readonly hcn: HcnClient;
  readonly library: ComputeNetworkLibrary;
  /** Every call, as in `delete Endpoint 0b5e1c9a-…`. */
  readonly calls: readonly string[];
  /** The current documents of a kind. */
  all(kind: Kind): readonly Document[];
}

export interface SmallHcnOptions {
  readonly networks?: readonly Given[];
  readonly endpoints?: readonly Given[];
  readonly namespaces?: readonly Given[];
  readonly loadBalancers?: readonly Given[];
  /** Generates the id of a new object. Default: the requested id. */
  readonly chooseId?: (asked: Guid) => Guid;
  /** The members that HNS adds to a new object. */
  readonly adds?: object;
  /** Returns the fault of a call; `nth` counts equal calls from 1. */
  readonly fault?: (call: string, nth: number) => Fault | undefined;
}

/** Fails calls: the n-th of equal calls with the n-th fault of its list. */
export const faultsOf = (faults: Readonly<Record<string, readonly (Fault | undefined)[]>>) => ({
  fault: (call: string, nth: number): Fault | undefined => faults[call]?.[nth - 1],
});

const success = 0;
const notFound: Readonly<Record<Kind, number>> = {
  Network: 0x803b0001,
  Endpoint: 0x803b0002,
  Namespace: 0x80070490,
  LoadBalancer: 0x80070490,
};
const alreadyExists = 0x803b0014;
const usedAfterUnload = 0x803b0031;
const notAttached = 0x803b0034;
const noNamespace = '00000000-0000-0000-0000-000000000000';

/** A turn of the event loop. What takes one is noticed if nothing waits for it. */
export const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const isChange = (call: string): boolean => /^(create|modify|delete) /.test(call);

/** The calls that change HCN. */
export function changesIn(calls: readonly string[]): readonly string[] {
  return calls.filter(isChange);
}

/** Fails the test even if the caller ignores the error. `npm run fuzz` runs no test: there it throws. */
export const expectSoftly = process.env['VITEST'] === undefined ? expect : expect.soft;

/**
 * An HCN with a few objects, which records its calls at their ends and fails as configured. A change that overlaps another call
 * fails the test.
 */
export function smallHcn(options: SmallHcnOptions = {}): SmallHcn {
  const {
    networks = [],
    endpoints = [],
    namespaces = [],
    loadBalancers = [],
    chooseId = (asked) => asked,
  } = options;
  const objects: Readonly<Record<Kind, Map<Guid, Document>>> = {
    Network: new Map(networks.map((given) => [given.ID, { ...given }])),
    Endpoint: new Map(endpoints.map((given) => [given.ID, { ...given }])),
    Namespace: new Map(namespaces.map((given) => [given.ID, { ...given }])),
    LoadBalancer: new Map(loadBalancers.map((given) => [given.ID, { ...given }])),
  };
  const calls: string[] = [];
  const answer = <T>(hresult: number, value: T): HcnResponse<T> => ({ hresult, value, errorRecord: '' });
  const running = new Set<string>();
  const made = async <T>(call: string, work: () => HcnResponse<T>): Promise<HcnResponse<T>> => {
    const overlapped = [...running].find((other) => isChange(other) || isChange(call));
    expectSoftly(overlapped, `${call} begins before the end of ${overlapped}`).toBeUndefined();
    running.add(call);
    await aTurn();
    running.delete(call);
    calls.push(call);
    const nth = calls.filter((other) => other === call).length;
    const fault = options.fault?.(call, nth);
    if (fault === undefined) return work();
    if (fault === 'late') throw new HcnTimeout(call, 30);
    if (fault === 'skipped') throw new HcnTimeout(call, 0);
    if (fault instanceof Error) throw fault;
    if (typeof fault === 'number') return answer(fault, undefined as T);
    return answer(success, fault.answer as T);
  };
  const create = <K extends Kind>(kind: K, id: Guid<K>, settings: object): Promise<HcnResponse<Handle<K>>> =>
    made(`create ${kind} ${id}`, () => {
      const ID = chooseId(id);
      const handle = { kind, id, pointer: ID };
      if (objects[kind].has(ID)) return answer(alreadyExists, handle);
      objects[kind].set(ID, { HostComputeNamespace: noNamespace, ...settings, ...options.adds, ID });
      return answer(success, handle);
    });
  const library: ComputeNetworkLibrary = {
    enumerate: async (kind, query) => {
      const filter: Readonly<Record<string, unknown>> = JSON.parse(JSON.parse(query).Filter ?? '{}');
      return made(`enumerate ${kind} ${JSON.stringify(filter)}`, () => {
        const found = [...objects[kind].values()].filter((document) => matches(document, filter));
        return answer(success, JSON.stringify(found.map(({ ID }) => ID)));
      });
    },
    create: async (kind, id, settings) => create(kind, id, JSON.parse(settings)),
    createEndpoint: async (_network, id, settings) => create('Endpoint', id, JSON.parse(settings)),
    open: async (kind, id) =>
      made(`open ${kind} ${id}`, () =>
        answer(objects[kind].has(id) ? success : notFound[kind], { kind, id, pointer: id }),
      ),
    query: async ({ kind, id, pointer }) =>
      made(`query ${kind} ${id}`, () => {
        const document = objects[kind].get(String(pointer));
        return answer(document === undefined ? usedAfterUnload : success, JSON.stringify(document));
      }),
    modify: async ({ kind, id }, settings) => {
      const given = JSON.parse(settings);
      if (kind === 'LoadBalancer') {
        return made(`modify ${kind} ${id}`, () => {
          objects[kind].set(id, { ...given, ID: id });
          return answer(success, undefined);
        });
      }
      const { RequestType, ResourceType, Settings } = given;
      const which = Settings.EndpointId ?? ResourceType;
      return made(`modify ${kind} ${id} ${RequestType} ${which}`, () => {
        if (kind !== 'Namespace') return answer(success, undefined);
        const endpoint = objects.Endpoint.get(which);
        if (endpoint === undefined) return answer(notFound.Endpoint, undefined);
        const isThere = endpoint['HostComputeNamespace'] === id;
        if (RequestType === 'Remove' && !isThere) return answer(notAttached, undefined);
        const HostComputeNamespace = RequestType === 'Add' ? id : noNamespace;
        objects.Endpoint.set(which, { ...endpoint, HostComputeNamespace });
        return answer(success, undefined);
      });
    },
    delete: async (kind, id) =>
      made(`delete ${kind} ${id}`, () =>
        answer(objects[kind].delete(id) ? success : notFound[kind], undefined),
      ),
    close: async () => answer(success, undefined),
    hnsCall: async () =>
      made('HNSCall', () => answer(success, '{"Success":true,"Output":{"Major":15,"Minor":2}}')),
  };
  return { hcn: hcnClient(library), library, calls, all: (kind) => [...objects[kind].values()] };
}

/** Compares the V1 members of an object, like HNS: an endpoint has its network in VirtualNetwork. */
function matches(document: Document, filter: Readonly<Record<string, unknown>>): boolean {
  const older: Readonly<Record<string, unknown>> = {
    ...document,
    VirtualNetwork: document['HostComputeNetwork'],
  };
  return Object.entries(filter).every(
    ([member, value]) => String(older[member]).toLowerCase() === String(value).toLowerCase(),
  );
}
