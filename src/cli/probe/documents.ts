import { schemaVersion } from '../../hcn/documents.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { describeHresult, isFailure, isNotFound, isPolicyNotFound } from '../../hcn/hresults.ts';
import { kindName } from '../../hcn/open-objects.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { isExternal, type NetworkType, NotTried } from './experiment.ts';
import type { Answer, HcnCalls, OpenObject } from './hcn-calls.ts';
import { newProbeName, type Subnet } from './names.ts';

/** The namespace of an endpoint that is in none. */
export const zeroGuid = '00000000-0000-0000-0000-000000000000';

/** The value of an answer. Throws NotTried if the call was refused: the experiment then shows nothing. */
export function required<T>({ hresult, value }: Answer<T | undefined>, action: string): T {
  if (isFailure(hresult)) throw new NotTried(`${action}: HCN returned ${describeHresult(hresult)}`);
  if (value === undefined) throw new NotTried(`${action}: HCN returned no document`);
  return value;
}

/** Throws NotTried if a call without a value was refused. */
export function requireSuccess({ hresult }: Answer<unknown>, action: string): void {
  required({ hresult, value: hresult }, action);
}

/** A created object, under the ID that HNS gave it. Throws NotTried if the creation was refused. */
export async function created<K extends Kind>(
  hcn: HcnCalls,
  answer: Answer<OpenObject<K> | undefined>,
): Promise<OpenObject<K>> {
  const object = required(answer, 'creating an object of the experiment');
  const document = required(await hcn.query(object), `querying the experiment's ${kindName(object.kind)}`);
  return { ...object, id: idIn(document) ?? object.id };
}

/** The ID of an object in its document; undefined if HNS returned none. */
export function idIn<K extends Kind>({ ID }: JsonObject): Guid<K> | undefined {
  return typeof ID === 'string' ? ID.toLowerCase() : undefined;
}

/** The document of a network with one subnet: on an adapter if external, with a VSID if its type is Overlay. */
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
    // No client is known to send a Private network with a route.
    ...(type !== 'Private' && { Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }] }),
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

/** The document of an endpoint whose address HNS chooses, with further members if given. */
export function endpointDocument(network: OpenObject<'Network'>, members: JsonObject = {}): JsonObject {
  return { Name: newProbeName(), HostComputeNetwork: network.id, SchemaVersion: schemaVersion, ...members };
}

/** Creates an endpoint of `endpointDocument`. */
export async function createEndpoint(
  hcn: HcnCalls,
  network: OpenObject<'Network'>,
  members: JsonObject = {},
): Promise<OpenObject<'Endpoint'>> {
  return created(hcn, await hcn.createEndpoint(network, endpointDocument(network, members)));
}

/** Creates a namespace as containerd does. */
export async function createNamespace(hcn: HcnCalls): Promise<OpenObject<'Namespace'>> {
  return created(hcn, await hcn.create('Namespace', { Type: 'Host', SchemaVersion: schemaVersion }));
}

/** The request that adds an endpoint to a namespace or removes it. */
export function memberRequest(RequestType: 'Add' | 'Remove', endpoint: Guid): JsonObject {
  return { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId: endpoint } };
}

/** Adds an endpoint to a namespace. */
export async function attach(
  hcn: HcnCalls,
  namespace: OpenObject<'Namespace'>,
  endpoint: OpenObject<'Endpoint'>,
): Promise<void> {
  requireSuccess(await hcn.modify(namespace, memberRequest('Add', endpoint.id)), 'attaching an endpoint');
}

/** The settings of a document's policies of a type, in whatever case; `{}` if a policy has none. */
export function settingsIn({ Policies }: JsonObject, type: string): readonly JsonObject[] {
  const policies: readonly unknown[] = Array.isArray(Policies) ? Policies : [];
  return policies
    .filter(isObject)
    .filter(({ Type }) => isSame(Type, type))
    .map(({ Settings }) => (isObject(Settings) ? Settings : {}));
}

/** Whether HNS returned a word, in whatever case. */
export function isSame(returned: unknown, word: string): boolean {
  return String(returned).toLowerCase() === word.toLowerCase();
}

/** The document of an object's query. Throws NotTried if it lacks the ID that every object has: it shows nothing then. */
export function documentOf({ kind }: OpenObject, answer: Answer<JsonObject | undefined>): JsonObject {
  const action = `querying the ${kindName(kind)}`;
  const document = required(answer, action);
  if (idIn(document) === undefined) throw new NotTried(`${action}: HCN returned a document without ID`);
  return document;
}

/** The V2 document of an object. */
export async function read(hcn: HcnCalls, object: OpenObject): Promise<JsonObject> {
  return documentOf(object, await hcn.query(object));
}

/** Whether an object that a call names by its ID is absent. */
export function isAbsent({ hresult }: Answer<unknown>): boolean {
  return isNotFound(hresult) || isPolicyNotFound(hresult);
}
