import type { Attachment as CniAttachment } from '../cni/request.ts';
import type {
  HostComputeEndpoint,
  HostComputeLoadBalancer,
  HostComputeNamespace,
  HostComputeNetwork,
  Policy,
} from '../hcn/documents.ts';
import type { EndpointId, Guid, Kind, LoadBalancerId, NamespaceId, NetworkId } from '../hcn/guid.ts';
import type { NodeRoute } from '../net/node-route.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import type { HostAddresses } from '../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../plan/network-plan.ts';

interface Creation<K extends Kind, Document> {
  readonly id: Guid<K>;
  readonly document: Document;
}

interface Attachment {
  readonly endpoint: EndpointId;
  readonly name: string;
  readonly namespace: NamespaceId;
}

interface CreatedAttachment extends Attachment {
  readonly addresses: readonly string[];
}

/** A RemoteSubnetRoute policy of a network. */
interface RemoteSubnet {
  readonly id: NetworkId;
  readonly name: string;
  readonly policy: Policy;
}

interface AddedPolicies<K extends Kind> {
  readonly id: Guid<K>;
  readonly name: string;
  readonly policies: readonly Policy[];
}

/** The IPAM plugin's type. */
interface Delegation {
  readonly plugin: string;
}

/** What each step says. `previous` is the document before the change, `name` HCN's name of the object. */
interface StepFields {
  'create network': Creation<'Network', HostComputeNetwork>;
  'add network policies': AddedPolicies<'Network'>;
  'add remote subnet': RemoteSubnet;
  /** The policy is as HNS returned it. */
  'remove remote subnet': RemoteSubnet;
  /** Deletes the host endpoints too. Does nothing while the network has any other endpoint. */
  'delete unused network': {
    readonly id: NetworkId;
    readonly name: string;
    readonly hostEndpoints: readonly EndpointId[];
  };
  'create endpoint': Creation<'Endpoint', HostComputeEndpoint> & { readonly network: NetworkId };
  'create host endpoint': Creation<'Endpoint', HostComputeEndpoint> & { readonly network: NetworkId };
  'add endpoint policies': AddedPolicies<'Endpoint'>;
  /** Attaches an endpoint of the same request: the rollback deletes it. `addresses`: its IP addresses and its MAC address. */
  'attach endpoint': CreatedAttachment;
  'attach host endpoint': Attachment;
  'detach endpoint': Attachment;
  /** Detaches the endpoint from the namespace first. */
  'delete endpoint': {
    readonly id: EndpointId;
    readonly name: string;
    readonly namespace: NamespaceId | undefined;
  };
  /** Does not detach the endpoint: if another request has attached it in the meantime, HNS refuses the deletion. */
  'delete leftover endpoint': { readonly id: EndpointId; readonly name: string };
  'delete load balancer': { readonly id: LoadBalancerId; readonly previous: HostComputeLoadBalancer };
  'create namespace': Creation<'Namespace', HostComputeNamespace>;
  'delete namespace': { readonly id: NamespaceId };
  'assign addresses': Delegation;
  'release addresses': Delegation;
  /** Releases every address except those of the valid attachments (CNI specification, section 2, "GC") and of those whose endpoints remain. */
  'release unused addresses': Delegation & { readonly remaining: readonly CniAttachment[] };
  /** Between the host endpoint with these addresses and the network's adapter; removes the host endpoint's default routes. */
  'enable forwarding': { readonly network: IdentifiedNetwork } & HostAddresses;
  'create route': { readonly route: NodeRoute };
  'delete route': { readonly route: NodeRoute };
}

/**
 * What each step of a rollback says. Another request may use the object by then, so the step deletes it only while nothing does.
 * `mayAppear`: the creation has an unknown outcome and may still take effect. `name` finds an object whose id HNS chose.
 */
interface RollbackFields extends Pick<StepFields, 'release addresses' | 'delete route'> {
  'remove new remote subnet': RemoteSubnet & { readonly mayAppear: boolean };
  'restore remote subnet': RemoteSubnet;
  'restore route': { readonly route: NodeRoute };
  /** Deletes nothing if the endpoint of this id is another one, which another request created after a deletion. */
  'delete attached endpoint': CreatedAttachment;
  'delete unattached endpoint': {
    readonly id: EndpointId;
    readonly name: string;
    readonly mayAppear: boolean;
  };
  'restore load balancer': Creation<'LoadBalancer', HostComputeLoadBalancer>;
  'delete new namespace': { readonly id: NamespaceId };
}

type Named<Fields, Do extends keyof Fields> = { [K in Do]: { readonly do: K } & Fields[K] }[Do];

/** The name of a step. */
export type StepName = keyof StepFields;
/** The name of a step of a rollback. */
export type RollbackName = keyof RollbackFields;

/** One change that a command makes, as a value. */
export type Step<Do extends StepName = StepName> = Named<StepFields, Do>;

/** One change that undoes a step, as a value. */
export type RollbackStep<Do extends RollbackName = RollbackName> = Named<RollbackFields, Do>;

interface Results {
  'assign addresses': NonNullable<Assignment>;
  /** Whether the object existed. */
  'delete endpoint': boolean;
  'delete leftover endpoint': boolean;
  'detach endpoint': boolean;
  'delete load balancer': boolean;
  'delete namespace': boolean;
  'delete route': boolean;
}

/** What a step returns. */
export type StepResult<Do extends StepName | RollbackName> = Do extends keyof Results ? Results[Do] : unknown;

/** What a step changes. */
export type StepKind =
  | 'network'
  | 'endpoint'
  | 'namespace'
  | 'load balancer'
  | 'policy'
  | 'addresses'
  | 'route';
