import { schemaVersion } from '../../hcn/documents.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { describeHresult, isFailure, isNotFound, isPolicyNotFound } from '../../hcn/hresults.ts';
import { kindName } from '../../hcn/open-objects.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { isExternal, type NetworkType, NotTried } from './experiment.ts';
import type { Answer, HcnCalls, OpenObject } from './hcn-calls.ts';
import { newProbeName, type Subnet } from './names.ts';

/** The value of an answer. Throws NotTried if the call was refused: the experiment then shows nothing. */
export function required<T>({ hresult, value }: Answer<T | undefined>, action: string): T {
  requireSuccess({ hresult }, action);
  if (value === undefined) throw new NotTried(`${action}: HCN returned no document`);
  return value;
}

/** Throws NotTried if a call was refused. */
export function requireSuccess({ hresult }: { readonly hresult: number }, action: string): void {
  if (isFailure(hresult)) throw new NotTried(`${action}: HCN returned ${describeHresult(hresult)}`);
}

/**
 * A created object under the ID that HNS gave it, with the requested one and its first V2 document. Throws NotTried if the creation or
 * the query was refused.
 */
export async function created<K extends Kind>(hcn: HcnCalls, answer: Answer<OpenObject<K> | undefined>) {
  const object = required(answer, 'creating an object of the experiment');
  const document = await read(hcn, object);
  return { ...object, id: idIn<K>(document) ?? object.id, requested: object.id, document };
}

/** The V2 document of an object. Throws NotTried if it lacks the ID that every object has: it shows nothing then. */
export async function read(hcn: HcnCalls, object: OpenObject, query?: string): Promise<JsonObject> {
  const action = `querying the ${kindName(object.kind)}`;
  const document = required(await hcn.query(object, query), action);
  if (idIn(document) === undefined) throw new NotTried(`${action}: HCN returned a document without ID`);
  return document;
}

/** The ID of an object in its document; undefined if HNS returned none. */
export function idIn<K extends Kind>({ ID }: JsonObject): Guid<K> | undefined {
  return typeof ID === 'string' ? ID.toLowerCase() : undefined;
}

/** The document of a network with one subnet: on an adapter if external, with a VSID if its type is Overlay. */
export function networkDocument(
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
    Name: newProbeName(),
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
) {
  return created(hcn, await hcn.createEndpoint(network, endpointDocument(network, members)));
}

/** The request that adds an endpoint to a namespace or removes it. */
export function memberRequest(RequestType: 'Add' | 'Remove', endpoint: Guid): JsonObject {
  return { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId: endpoint } };
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

/** Whether an object that a call names by its ID is absent. */
export function isAbsent({ hresult }: Answer<unknown>): boolean {
  return isNotFound(hresult) || isPolicyNotFound(hresult);
}
