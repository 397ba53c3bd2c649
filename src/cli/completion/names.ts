import { containersIn } from '../inventory/containers.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import type { Candidate } from './find-candidates.ts';

/** What HCN has for an argument or an option, by what that is called; undefined where HCN knows nothing of it. */
export function namesOf(name: string): ((inventory: Inventory) => readonly Candidate[]) | undefined {
  switch (name) {
    case 'pod':
    case 'other':
    case 'container':
      return containers;
    case 'ip':
      return addresses;
    case 'endpoint':
      return (inventory) =>
        inventory.endpoints.map(({ ID, Name }) => ({ word: ID, about: `endpoint ${Name || ID}` }));
    case 'namespace':
    case 'netns':
      return ({ namespaces }) =>
        namespaces.flatMap(({ ID, Type }) =>
          ID === undefined ? [] : [{ word: ID, about: `namespace of type ${Type}` }],
        );
    case 'network':
      return ({ networks }) =>
        networks.map(({ Name, Type }) => ({ word: Name, about: `network of type ${Type}` }));
    case 'loadbalancer':
      return (inventory) =>
        loadBalancerRows(inventory).map(({ id, frontends }) => ({
          word: id,
          about: `load balancer of ${frontends.join(', ') || "the node's addresses"}`,
        }));
    default:
      return undefined;
  }
}

function containers(inventory: Inventory): readonly Candidate[] {
  const ids = [
    ...inventory.namespaces.flatMap(containersIn),
    ...endpointRows(inventory).flatMap(({ container }) => container ?? []),
  ];
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((word) => ({ word, about: 'container' }));
}

function addresses({ endpoints }: Inventory): readonly Candidate[] {
  return endpoints.flatMap(({ IpConfigurations = [], Name }) =>
    IpConfigurations.map(({ IpAddress }) => ({ word: IpAddress, about: `address of endpoint ${Name}` })),
  );
}
