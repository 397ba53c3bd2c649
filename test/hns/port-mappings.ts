// Port mappings: which networks have them, and that a host port has one owner (hcn.md 3.3).

import type { NetworkMode, Policy } from './documents.ts';
import { HnsError } from './hresults.ts';
import type { EndpointObject, NetworkObject, State } from './state.ts';

/** [I]: the types without translation between host and endpoint. */
const unsupported: ReadonlySet<NetworkMode> = new Set(['Transparent', 'Private', 'Internal']);

export function checkPortMappings(
  state: State,
  network: NetworkObject,
  policies: readonly Policy[],
  except?: EndpointObject,
): void {
  const wanted = keysOf(policies);
  if (wanted.length > 0 && unsupported.has(network.document.Type))
    throw new HnsError('HCN_E_MAPPING_NOT_SUPPORTED');
  const others = [...state.endpoints.values()].filter((endpoint) => endpoint !== except);
  const taken = new Set(others.flatMap((endpoint) => keysOf(endpoint.document.Policies)));
  for (const key of wanted) {
    if (taken.has(key)) throw new HnsError('HCN_E_PORT_ALREADY_EXISTS');
    taken.add(key);
  }
}

function keysOf(policies: readonly Policy[]): string[] {
  return policies.flatMap(({ Type, Settings = {} }) => {
    if (Type !== 'PortMapping' || !Settings['ExternalPort']) return [];
    return [[Settings['Protocol'], Settings['ExternalPort'], Settings['VIP'], Settings['Flags']].join(' ')];
  });
}
