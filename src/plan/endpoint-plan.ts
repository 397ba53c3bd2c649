import type { Attachment } from '../cni/request.ts';
import type { Behavior } from '../config/behavior.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { endpointId } from '../model/identity.ts';
import type { HostAdapter } from '../net/host-adapter.ts';
import type { Step } from '../steps/step.ts';
import { endpointDns, endpointDocument, endpointNameFor } from './endpoint.ts';
import type { Assignment } from './endpoint-addresses.ts';
import type { IdentifiedNetwork } from './network-plan.ts';

/** How to find an endpoint of win-hcn: by its derived id, or by its name if HNS chose another id. */
export interface EndpointKey {
  readonly id: EndpointId;
  readonly name: string;
}

/** What ADD decides about an endpoint once it has its addresses. */
export interface EndpointPlan {
  readonly step: Step<'create endpoint'>;
  readonly attachment: Attachment;
  readonly network: IdentifiedNetwork;
  /** Decides which leftovers the endpoint may replace. */
  readonly behavior: Behavior;
  /** About what the configuration and the IPAM plugin ask for in vain. */
  readonly notices: readonly string[];
  /** Whether policies need the address, which HNS assigns. */
  readonly needsAddress: boolean;
}

/** How to find the endpoint of an attachment. */
export function keyOf(config: NetworkConfig, attachment: Attachment): EndpointKey {
  return { id: endpointId(attachment), name: endpointNameFor(config, attachment) };
}

/** Plans the endpoint of an attachment on a network. Throws as `endpointDocument` does. */
export function planEndpoint(
  config: NetworkConfig,
  attachment: Attachment,
  network: IdentifiedNetwork,
  adapters: readonly HostAdapter[],
  assignment: Assignment,
): EndpointPlan {
  const document = endpointDocument(config, attachment, network, assignment, adapters);
  return {
    step: { do: 'create endpoint', network: network.ID, id: endpointId(attachment), document },
    attachment,
    network,
    behavior: config.behavior,
    notices: endpointDns(config, assignment).ignoredDns,
    needsAddress: assignment === undefined && config.loopbackDSR,
  };
}
