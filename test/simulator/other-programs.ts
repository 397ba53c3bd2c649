// What other programs of the node do, without a connection of the stub. `calls` omits it.

import { createEndpoint } from './endpoints.ts';
import { hostInterfaces, interfaceState } from './host-interfaces.ts';
import { HnsError } from './hresults.ts';
import { modifyNetwork } from './modify-network.ts';
import { noteAttachment } from './namespaces.ts';
import { createNetwork } from './networks.ts';
import { chosenId } from './object-id.ts';
import type { JsonObject } from './schema/validate.ts';
import type { NetworkObject, State } from './state.ts';

/** Throws an error with the HRESULT if the service refuses. */
export interface OtherPrograms {
  /** Creates a network, and returns its ID. */
  createNetwork(document: object): string;
  /** Creates an endpoint and attaches it to the host's compartment by the older HNS API, as hcsshim's HostAttach(1) does [S]. */
  createHostEndpoint(network: string, document: object): { readonly id: string; readonly address: string };
  /** The older API's detach. */
  detachHostEndpoint(id: string): void;
  /** Sends a ModifyNetworkSettingRequest. */
  modifyNetwork(id: string, request: object): void;
  /** Enables IPv4 forwarding on the interface that has an address, as Set-NetIPInterface does. */
  enableForwarding(address: string): void;
}

export function otherPrograms(state: State): OtherPrograms {
  return {
    createNetwork: (document) => createNetwork(state, undefined, plain(document)).id,
    createHostEndpoint: (id, document) => {
      const endpoint = createEndpoint(
        state,
        findNetwork(state, id),
        chosenId(state, 'Endpoint'),
        plain(document),
      );
      noteAttachment(state, endpoint);
      endpoint.isOnHost = true;
      return { id: endpoint.id, address: endpoint.document.IpConfigurations[0]?.IpAddress ?? '' };
    },
    detachHostEndpoint: (id) => {
      const endpoint = state.endpoints.get(id);
      if (endpoint) endpoint.isOnHost = false;
    },
    modifyNetwork: (id, request) => modifyNetwork(state, findNetwork(state, id), plain(request)),
    enableForwarding: (address) => {
      const found = hostInterfaces(state).find(({ addresses }) =>
        addresses.some((one) => one.split('/')[0] === address),
      );
      const kept = found && interfaceState(state, found.index);
      if (kept === undefined) throw new Error(`no interface has ${address}`);
      kept.forwarding = true;
    },
  };
}

function findNetwork(state: State, id: string): NetworkObject {
  const network = state.networks.get(id.toLowerCase());
  if (network === undefined) throw new HnsError('HCN_E_NETWORK_NOT_FOUND');
  return network;
}

function plain(document: object): JsonObject {
  return JSON.parse(JSON.stringify(document));
}
