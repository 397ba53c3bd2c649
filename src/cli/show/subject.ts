import type { Policy } from '../../hcn/documents.ts';
import type { EndpointDetail, EndpointRow } from '../inventory/endpoint-row.ts';
import type { LoadBalancerRow } from '../inventory/load-balancer-row.ts';
import type { NamespaceRow } from '../inventory/namespace-row.ts';
import type { NetworkRow } from '../inventory/network-row.ts';

export const subjectKinds = [
  'pod',
  'container',
  'ip',
  'endpoint',
  'namespace',
  'network',
  'loadbalancer',
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** A container, which is what a pod is to HCN. */
export interface ContainerSubject {
  readonly kind: 'container';
  readonly container: string;
  readonly namespace?: NamespaceRow;
  readonly endpoints: readonly EndpointDetail[];
}

/** What there is to show of one thing. */
export type Subject =
  | ContainerSubject
  | {
      readonly kind: 'ip';
      readonly address: string;
      readonly endpoints: readonly EndpointDetail[];
      /** Those that listen on it. */
      readonly loadBalancers: readonly LoadBalancerRow[];
      /** Those whose gateway it is. */
      readonly networks: readonly NetworkRow[];
    }
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointDetail }
  | {
      readonly kind: 'namespace';
      readonly namespace: NamespaceRow;
      readonly endpoints: readonly EndpointRow[];
    }
  | {
      readonly kind: 'network';
      readonly network: NetworkRow;
      readonly policies: readonly Policy[];
      readonly endpoints: readonly EndpointRow[];
    }
  | {
      readonly kind: 'loadbalancer';
      readonly loadBalancer: LoadBalancerRow;
      /** Those of its backends that are there. */
      readonly endpoints: readonly EndpointRow[];
    };
