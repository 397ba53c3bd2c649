import { withDetails } from '../cni/error.ts';
import type { OnIgnored } from './document-members.ts';
import {
  documentText,
  type HostComputeLoadBalancer,
  type HostComputeNamespace,
  type HostComputeNetwork,
  hostPortsIn,
  type PoliciesRequest,
  type Policy,
} from './documents.ts';
import { findValue, type Given, HcnError, requireValue } from './errors.ts';
import type { Guid, Kind, LoadBalancerId } from './guid.ts';
import type { Created } from './hresults/meaning.ts';
import { isNetworkNotFound, isPolicyNotFound } from './hresults.ts';
import type { ComputeNetworkLibrary, HcnResponse } from './library.ts';
import { describeObject, type OpenObjects, openObjects } from './open-objects.ts';

/** Reads a document of HCN. Throws if it is invalid. */
type Read<T> = (json: string, onIgnored: OnIgnored) => T;

/** The calls that objects of several kinds have in common, with typed documents. */
export interface ObjectCalls {
  readonly library: ComputeNetworkLibrary;
  readonly objects: OpenObjects;
  readonly onIgnoredOf: (kind: Kind, id: Guid) => OnIgnored;
  /** Undefined for an absent object. */
  find<K extends Kind, T extends { readonly ID?: Guid<K>; readonly Name?: string }>(
    kind: K,
    id: Guid<K>,
    read: Read<T>,
  ): Promise<T | undefined>;
  /** The objects that still exist. */
  findEach<K extends Kind, T extends { readonly ID?: Guid<K> }>(
    kind: K,
    ids: readonly Guid<K>[],
    read: Read<T>,
  ): Promise<readonly T[]>;
  create<K extends Exclude<Kind, 'Endpoint'>>(
    kind: K,
    id: Guid<K>,
    document: HostComputeNetwork | HostComputeNamespace | HostComputeLoadBalancer,
    described: string,
  ): Promise<void>;
  /** Returns whether the object existed. */
  remove<K extends Kind>(kind: K, id: Guid<K>): Promise<boolean>;
}

/** The calls to a library. Each opens an object once and keeps it open. */
export function objectCalls(
  library: ComputeNetworkLibrary,
  { onUnreadable, onIgnored = () => undefined }: UnreadableEvents,
): ObjectCalls {
  const objects = openObjects(library);
  const onIgnoredOf = reportOnce(onIgnored);
  const find: ObjectCalls['find'] = (kind, id, read) =>
    objects.find(kind, id, (json) => read(json, onIgnoredOf(kind, id)));
  return {
    library,
    objects,
    onIgnoredOf,
    find,
    findEach: async (kind, ids, read) => {
      const found = [];
      for (const id of ids) {
        const finding = find(kind, id, read);
        const object = await (onUnreadable
          ? finding.catch((error) => onUnreadable(error, kind, id))
          : finding);
        if (object !== undefined) found.push(object);
      }
      return found;
    },
    create: async (kind, id, document, described) => {
      const response = await library.create(kind, id, documentText(document));
      const { Name, PortMappings = [] } = { Name: undefined, PortMappings: undefined, ...document };
      const given = { hostPorts: PortMappings.map(({ ExternalPort }) => ExternalPort) };
      objects.keepCreated(requireValue(response, `creating ${described} ${id}`, kind, given), Name);
    },
    remove: async (kind, id) => {
      const response = await library.delete(kind, id);
      objects.forget(kind, id);
      return findValue({ ...response, value: true }, `deleting ${describeObject(kind, id)}`) ?? false;
    },
  };
}

/** Adds policies to a network or endpoint, or removes them. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#ModifyNetworkSettingRequest */
export async function modifyPolicies(
  { library, objects }: ObjectCalls,
  RequestType: PoliciesRequest['RequestType'],
  kind: 'Network' | 'Endpoint',
  id: Guid,
  Policies: readonly Policy[],
): Promise<void> {
  const request: PoliciesRequest = { ResourceType: 'Policy', RequestType, Settings: { Policies } };
  const given: Given = { hostPorts: hostPortsIn(Policies) };
  const action = RequestType === 'Add' ? 'adding policies to' : 'removing policies from';
  const isRemote = Policies.some(({ Type }) => Type === 'RemoteSubnetRoute');
  const creates: Created | undefined = isRemote ? 'Remote subnet' : undefined;
  const modify = () => objects.mustUse(kind, id, (handle) => library.modify(handle, documentText(request)));
  requireValue(await modify(), `${action} ${describeObject(kind, id)}`, creates, given);
}

/** Handles an object of a list that cannot be read: returns to leave it out, or throws. */
export type OnUnreadable = (error: unknown, kind: Kind, id: Guid) => undefined;

/** What is called about objects and members that cannot be read. */
export interface UnreadableEvents {
  /** Default: an object that cannot be read fails the whole list. */
  readonly onUnreadable?: OnUnreadable | undefined;
  /** Called once, with a sentence, for each member that cannot be read and counts as absent. */
  readonly onIgnored?: (text: string) => void;
}

/** Returns a callback that reports each unreadable member of a kind of object once, in a sentence. */
export function reportOnce(report: (text: string) => void): (kind: Kind, id: Guid) => OnIgnored {
  const reported = new Set<string>();
  return (kind, id) => (text, path) => {
    const member = `${kind} ${path}`;
    if (!reported.has(member)) report(`${describeObject(kind, id)}: ignored ${text}`);
    reported.add(member);
  };
}

const orphanedText =
  'HNS cannot delete a load balancer whose network is gone, as on Windows Server 2019 (Azure/aks-engine#3956). Its VIP and ports stay in use: use other ones';

/** Whether a deleted load balancer existed. `find` looks it up. Throws HCN's refusal, also for one that outlived its network. */
export async function readLoadBalancerDeletion(
  response: HcnResponse,
  id: LoadBalancerId,
  find: () => Promise<object | undefined>,
): Promise<boolean> {
  const action = `deleting ${describeObject('LoadBalancer', id)}`;
  if (isPolicyNotFound(response.hresult)) return false;
  if (isNetworkNotFound(response.hresult) && (await find()) !== undefined)
    throw withDetails(new HcnError(action, response.hresult, response.errorRecord), orphanedText);
  return findValue({ ...response, value: true }, action) ?? false;
}
