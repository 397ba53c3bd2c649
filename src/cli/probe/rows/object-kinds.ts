import type { Kind } from '../../../hcn/library.ts';
import type { JsonObject } from '../../../json/members.ts';
import {
  createEndpoint,
  createLoadBalancer,
  createNamespace,
  createNetwork,
  loadBalancerDocument,
  memberRequest,
  policyRequest,
} from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';

/** A kind of object, and how an experiment creates and modifies one. */
export interface ObjectKind {
  readonly kind: Kind;
  readonly create: (laboratory: Laboratory) => Promise<Item>;
  /** What the object is modified with. */
  readonly request: (laboratory: Laboratory) => JsonObject;
}

/** Every kind of object. */
export const objectKinds: readonly ObjectKind[] = [
  {
    kind: 'Network',
    create: (laboratory) => createNetwork(laboratory),
    request: () => policyRequest('Add', [{ Type: 'HostRoute', Settings: {} }]),
  },
  {
    kind: 'Endpoint',
    create: async (laboratory) => createEndpoint(laboratory, await laboratory.base()),
    request: () => policyRequest('Add', [{ Type: 'OutBoundNAT', Settings: {} }]),
  },
  {
    kind: 'Namespace',
    create: createNamespace,
    request: (laboratory) => memberRequest('Add', laboratory.newId()),
  },
  {
    kind: 'LoadBalancer',
    create: async (laboratory) => {
      const endpoint = await createEndpoint(laboratory, await laboratory.base());
      return createLoadBalancer(laboratory, loadBalancerDocument(laboratory, [endpoint]));
    },
    request: (laboratory) => loadBalancerDocument(laboratory, []),
  },
];
