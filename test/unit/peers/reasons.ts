import type { Reasons } from './row.ts';

/** Reasons for members of hcsshim's structs that are structs themselves. */
export function emptyStructs(...paths: readonly string[]): Reasons {
  const reason =
    "Go's omitempty keeps a struct, so hcsshim sends an empty one (microsoft/hcsshim hcn/hcnnetwork.go, hcn/hcnendpoint.go); HNS treats an absent member as an empty one.";
  return Object.fromEntries(paths.map((path) => [`- ${path}`, reason]));
}

/** Every network and endpoint that win-hcn creates has a derived id. */
export const ownId: Reasons = {
  '+ document.ID':
    'HNS may take the id from the argument or from the document, so win-hcn sends both (test/simulator/variants/networks.ts, idConflict).',
  '~ id':
    'Peers pass the zero GUID and let HNS choose (microsoft/hcsshim hcn/hcnnetwork.go createNetwork, hcn/hcnendpoint.go createEndpoint); win-hcn derives it, so that HNS refuses duplicates and DEL needs no search.',
};

/** The empty structs that hcsshim sends for a network. */
export const networkStructs = emptyStructs('document.MacPool', 'document.Dns', 'document.Health');

/** The empty structs that hcsshim sends for an endpoint with DNS settings. */
export const endpointStructs = emptyStructs('document.Health');

export const endpointNamed =
  "Each peer has its own endpoint names (azure-vnet cuts the container id after eight characters, so two can collide); win-hcn's has container, network and interface, by which DEL and GC recognize it.";
