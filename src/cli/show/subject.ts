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

/** A container: HCN does not have pods. */
export interface ContainerSubject {
  readonly kind: 'container';
  readonly container: string;
  readonly namespace?: NamespaceRow;
  readonly endpoints: readonly EndpointDetail[];
}

/** Everything that `show` shows. */
export type Subject =
  | ContainerSubject
  | {
      readonly kind: 'ip';
      readonly address: string;
      readonly endpoints: readonly EndpointDetail[];
      /** Those with this frontend or source VIP. */
      readonly loadBalancers: readonly LoadBalancerRow[];
      /** Those with this gateway. */
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
      /** The backends that exist. */
      readonly endpoints: readonly EndpointRow[];
    };
