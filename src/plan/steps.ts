import type {
  HostComputeEndpoint,
  HostComputeLoadBalancer,
  HostComputeNamespace,
  HostComputeNetwork,
  Policy,
} from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { hostEndpointId } from '../model/identity.ts';

/**
 * One change to HCN, as a value. "Unused" is a network without endpoints but the node's own, which go with it, or what is in no load
 * balancer; "unfinished" in no namespace: only then they are deleted. An endpoint is detached from `namespace` before its deletion.
 * `previous` is the document before the change. `mayAppear`: a creation with an unknown outcome may still take effect. `name` finds an
 * object for which HNS chose another id.
 */
export type Step =
  | { readonly do: 'create network'; readonly id: Guid; readonly document: HostComputeNetwork }
  | { readonly do: 'add network policies'; readonly id: Guid; readonly policies: readonly Policy[] }
  | {
      readonly do: 'delete unused network';
      readonly id: Guid;
      readonly name: string;
      readonly hostEndpoints: readonly Guid[];
    }
  | {
      readonly do: 'create endpoint';
      readonly network: Guid;
      readonly id: Guid;
      readonly document: HostComputeEndpoint;
    }
  | {
      readonly do: 'delete unfinished endpoint';
      readonly id: Guid;
      readonly name: string;
      readonly mayAppear: boolean;
    }
  | { readonly do: 'attach endpoint'; readonly endpoint: Guid; readonly namespace: Guid }
  | { readonly do: 'delete endpoint'; readonly id: Guid; readonly namespace: Guid | undefined }
  | { readonly do: 'add endpoint policies'; readonly id: Guid; readonly policies: readonly Policy[] }
  | HostEndpointStep
  | RemoteEndpointStep
  | LoadBalancerStep
  | NamespaceStep;

/** The creation of a container's endpoint. */
export type CreateEndpointStep = Extract<Step, { readonly do: 'create endpoint' }>;

type HostEndpointStep =
  | {
      readonly do: 'create host endpoint';
      readonly network: Guid;
      readonly id: Guid;
      readonly document: HostComputeEndpoint;
    }
  | { readonly do: 'attach host endpoint'; readonly endpoint: Guid; readonly namespace: Guid };

type RemoteEndpointStep =
  | { readonly do: 'create remote endpoint'; readonly id: Guid; readonly document: HostComputeEndpoint }
  | { readonly do: 'delete remote endpoint'; readonly id: Guid; readonly previous: HostComputeEndpoint }
  | { readonly do: 'restore remote endpoint'; readonly id: Guid; readonly document: HostComputeEndpoint }
  | { readonly do: 'delete unused remote endpoint'; readonly id: Guid; readonly mayAppear: boolean };

type LoadBalancerStep =
  | { readonly do: 'create load balancer'; readonly id: Guid; readonly document: HostComputeLoadBalancer }
  | {
      readonly do: 'modify load balancer';
      readonly id: Guid;
      readonly previous: HostComputeLoadBalancer;
      readonly document: HostComputeLoadBalancer;
    }
  | { readonly do: 'delete load balancer'; readonly id: Guid; readonly previous: HostComputeLoadBalancer }
  | { readonly do: 'restore load balancer'; readonly id: Guid; readonly document: HostComputeLoadBalancer }
  | { readonly do: 'delete unfinished load balancer'; readonly id: Guid; readonly mayAppear: boolean };

/** An endpoint attached by hand stays attached: repeating that does nothing, and Windows Server 2019 attaches it once in its life. */
type NamespaceStep =
  | { readonly do: 'create namespace'; readonly id: Guid; readonly document: HostComputeNamespace }
  | { readonly do: 'delete unused namespace'; readonly id: Guid }
  | { readonly do: 'attach existing endpoint'; readonly endpoint: Guid; readonly namespace: Guid };

/**
 * The step that undoes another one that is done, or may be: a call that timed out can still take effect. What a step was to
 * create can be somebody else's by then, so a network is deleted only while unused, an endpoint we did not attach only while
 * unfinished.
 */
export function inverse(step: Step, outcome: 'done' | 'unknown'): Step | undefined {
  const mayAppear = outcome === 'unknown';
  switch (step.do) {
    case 'create network':
      return {
        do: 'delete unused network',
        id: step.id,
        name: step.document.Name,
        hostEndpoints: [hostEndpointId(step.document.Name)],
      };
    case 'create endpoint':
      return { do: 'delete unfinished endpoint', id: step.id, name: step.document.Name, mayAppear };
    case 'attach endpoint':
      return { do: 'delete endpoint', id: step.endpoint, namespace: step.namespace };
    case 'create remote endpoint':
      return { do: 'delete unused remote endpoint', id: step.id, mayAppear };
    case 'delete remote endpoint':
      return { do: 'restore remote endpoint', id: step.id, document: step.previous };
    case 'create load balancer':
      return { do: 'delete unfinished load balancer', id: step.id, mayAppear };
    case 'modify load balancer':
    case 'delete load balancer':
      return { do: 'restore load balancer', id: step.id, document: step.previous };
    case 'create namespace':
      return { do: 'delete unused namespace', id: step.id };
    case 'add endpoint policies':
    case 'add network policies':
    case 'create host endpoint':
    case 'attach host endpoint':
    case 'delete unused network':
    case 'delete unfinished endpoint':
    case 'delete endpoint':
    case 'delete unused remote endpoint':
    case 'restore remote endpoint':
    case 'delete unfinished load balancer':
    case 'restore load balancer':
    case 'delete unused namespace':
    case 'attach existing endpoint':
      return undefined;
  }
}
