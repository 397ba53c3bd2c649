import { type Policy, schemaVersion } from '../../hcn/documents.ts';
import type { Guid } from '../../hcn/guid.ts';
import {
  describeHresult,
  isAdapterMissing,
  isFailure,
  isNotFound,
  isPolicyNotFound,
  isUnloaded,
} from '../../hcn/hresults.ts';
import type { Kind } from '../../hcn/library.ts';
import { kindName } from '../../hcn/open-objects.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import type { Answer, Item, Laboratory, Network } from './laboratory.ts';
import type { Subnet } from './names.ts';
import { isExternal, type NetworkType, NotTried, type Observation, seen } from './row.ts';

/** How often a creation is retried while HNS has not released the adapter of the network before, and how long each wait takes. */
const retries = { count: 20, milliseconds: 500 };

/** Lets HNS choose an id. */
export const zeroGuid = '00000000-0000-0000-0000-000000000000';

/** The value of an answer. Throws NotTried if the call was refused: the experiment then shows nothing. */
export function granted<T>({ hresult, value }: Answer<T | undefined>, action: string): T {
  if (isFailure(hresult)) throw new NotTried(`${action}: HCN returned ${describeHresult(hresult)}`);
  if (value === undefined) throw new NotTried(`${action}: HCN returned no document`);
  return value;
}

/** Throws NotTried if a call without a value was refused. */
export function done({ hresult }: Answer, action: string): void {
  granted({ hresult, value: hresult }, action);
}

/** A created object, which `what` names in errors, under the id that HNS gave it. Throws NotTried if the creation was refused. */
export async function created<K extends Kind>(
  laboratory: Laboratory,
  answer: Answer<Item<K> | undefined>,
  what = 'object',
): Promise<Item<K>> {
  const item = granted(answer, `creating the experiment's ${what}`);
  const { ID } = granted(await laboratory.query(item), `querying the experiment's ${what}`);
  return { ...item, id: typeof ID === 'string' ? ID.toLowerCase() : item.id };
}

/** The document of a network with one subnet: on an adapter if given, with a VSID if its type is Overlay. */
export function networkDocument(
  name: string,
  type: NetworkType,
  { prefix, gateway, vsid }: Subnet,
  adapter?: string,
): JsonObject {
  const VSID = { Type: 'VSID', Settings: { IsolationId: vsid } };
  const NetAdapterName = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } };
  const subnet = {
    IpAddressPrefix: prefix,
    Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }],
    ...(type === 'Overlay' && { Policies: [VSID] }),
  };
  return {
    Name: name,
    Type: type,
    Ipams: [{ Type: 'Static', Subnets: [subnet] }],
    ...(isExternal(type) && { Policies: [NetAdapterName] }),
    SchemaVersion: schemaVersion,
  };
}

/** Creates a network: by default a Private one, with further members if given. Retries while HNS has not released the adapter. */
export async function createNetwork(
  laboratory: Laboratory,
  members: JsonObject = {},
  type: NetworkType = 'Private',
): Promise<Network> {
  const subnet = laboratory.newSubnet();
  const { adapter } = laboratory;
  const document = { ...networkDocument(laboratory.newName(), type, subnet, adapter), ...members };
  let answer = await laboratory.create('Network', document);
  for (let retry = 0; retry < retries.count && isAdapterMissing(answer.hresult); retry += 1) {
    await laboratory.pause(retries.milliseconds);
    answer = await laboratory.create('Network', document);
  }
  // No client is known to send a Private network with a route.
  if (type === 'Private' && isFailure(answer.hresult))
    answer = await laboratory.create('Network', withoutRoutes(document));
  return { ...(await created(laboratory, answer, `${type} network`)), subnet };
}

function withoutRoutes(document: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document, (name, value) => (name === 'Routes' ? undefined : value)));
}

/** The document of an endpoint whose address HNS chooses. */
export function endpointDocument(laboratory: Laboratory, network: Item<'Network'>): JsonObject {
  return { Name: laboratory.newName(), HostComputeNetwork: network.id, SchemaVersion: schemaVersion };
}

/** Creates an endpoint with further members of its document if given. */
export async function createEndpoint(
  laboratory: Laboratory,
  network: Item<'Network'>,
  members: JsonObject = {},
): Promise<Item<'Endpoint'>> {
  const document = { ...endpointDocument(laboratory, network), ...members };
  return created(laboratory, await laboratory.createEndpoint(network, document), 'endpoint');
}

/** The document of a namespace as containerd sends it. */
export const namespaceDocument: JsonObject = { Type: 'Host', SchemaVersion: schemaVersion };

/** Creates a namespace as containerd does. */
export async function createNamespace(laboratory: Laboratory): Promise<Item<'Namespace'>> {
  return created(laboratory, await laboratory.create('Namespace', namespaceDocument), 'namespace');
}

/** The document of a load balancer on TCP port 80 of an address of its own, because HNS may free frontends late. */
export function loadBalancerDocument(
  laboratory: Laboratory,
  endpoints: readonly Item<'Endpoint'>[],
  members: JsonObject = {},
): JsonObject {
  return {
    HostComputeEndpoints: endpoints.map(({ id }) => id),
    FrontendVIPs: [laboratory.newFrontend()],
    PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
    SchemaVersion: schemaVersion,
    ...members,
  };
}

/** Creates a load balancer of `loadBalancerDocument`. */
export async function createLoadBalancer(
  laboratory: Laboratory,
  document: JsonObject,
): Promise<Item<'LoadBalancer'>> {
  return created(laboratory, await laboratory.create('LoadBalancer', document), 'load balancer');
}

/** The request that adds an endpoint to a namespace or removes it. */
export function memberRequest(RequestType: 'Add' | 'Remove', endpoint: Guid): JsonObject {
  return { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId: endpoint } };
}

/** Adds an endpoint to a namespace. */
export async function attach(
  laboratory: Laboratory,
  namespace: Item<'Namespace'>,
  endpoint: Item<'Endpoint'>,
): Promise<void> {
  done(await laboratory.modify(namespace, memberRequest('Add', endpoint.id)), 'attaching an endpoint');
}

/** The request that changes an object's policies. */
export function policyRequest(
  RequestType: 'Add' | 'Remove' | 'Update',
  Policies: readonly Policy[],
): JsonObject {
  return { ResourceType: 'Policy', RequestType, Settings: { Policies } };
}

/**
 * When a condition becomes true: `at once` if the first query shows it, `late`, or `never` if it does not within some seconds. The detail
 * is the time.
 */
export async function seenWhen(
  { now, pause }: Laboratory,
  seconds: number,
  isTrue: () => Promise<boolean>,
): Promise<Observation> {
  const started = now();
  for (let isFirst = true; ; isFirst = false) {
    const isReached = await isTrue();
    const elapsed = Math.round(now() - started);
    if (isReached) return seen(isFirst ? 'at once' : 'late', `${elapsed} ms`);
    if (elapsed >= seconds * 1000) return seen('never', `not within ${seconds} s`);
    await pause(250);
  }
}

/** The settings of a document's policy of a type, in whatever case; undefined if it has none. */
export function settingsIn({ Policies }: JsonObject, type: string): JsonObject | undefined {
  const policies: readonly unknown[] = Array.isArray(Policies) ? Policies : [];
  const policy = policies.filter(isObject).find(({ Type }) => isSame(Type, type));
  return policy && (isObject(policy['Settings']) ? policy['Settings'] : {});
}

/** Whether HNS returned a word, in whatever case. */
export function isSame(returned: unknown, word: string): boolean {
  return String(returned).toLowerCase() === word.toLowerCase();
}

/** The document of an object's query. Throws NotTried if it lacks the ID that every object has: it shows nothing then. */
export function documentOf({ kind }: Item, answer: Answer<JsonObject | undefined>): JsonObject {
  const action = `querying the ${kindName(kind)}`;
  const document = granted(answer, action);
  if (typeof document['ID'] !== 'string') throw new NotTried(`${action}: HCN returned a document without ID`);
  return document;
}

/** The V2 document of an object. */
export async function read(laboratory: Laboratory, item: Item): Promise<JsonObject> {
  return documentOf(item, await laboratory.query(item));
}

/** The V2 document of an object; undefined if HNS returns that it is absent. */
export async function readIfPresent(laboratory: Laboratory, item: Item): Promise<JsonObject | undefined> {
  const answer = await laboratory.query(item);
  return isGone(answer) ? undefined : documentOf(item, answer);
}

/** Whether an object is absent, also one of an open handle. */
export function isGone(answer: Answer<unknown>): boolean {
  return isAbsent(answer) || isUnloaded(answer.hresult);
}

/** Whether an object that a call names by its ID is absent. */
export function isAbsent({ hresult }: Answer<unknown>): boolean {
  return isNotFound(hresult) || isPolicyNotFound(hresult);
}

/** The ID that HNS gave an object. */
export async function actualId(laboratory: Laboratory, item: Item): Promise<Guid> {
  return String((await read(laboratory, item))['ID']).toLowerCase();
}

/** Throws NotTried if HNS gave an object another id than the requested one. */
export async function checkId(laboratory: Laboratory, item: Item): Promise<void> {
  if ((await actualId(laboratory, item)) !== item.handle.id) throw new NotTried('HNS chose another ID');
}

/** The ids of every object of a kind. Throws NotTried if HNS returns no list. */
export async function list<K extends Kind>({ enumerate }: Laboratory, kind: K): Promise<readonly Guid<K>[]> {
  return granted(await enumerate(kind), `listing every ${kindName(kind)}`);
}
