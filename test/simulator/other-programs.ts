// What other programs of the node do, without a connection of the stub. `calls` omits it.

import { hnsCall } from './hnscall.ts';
import { hostInterfaces, interfaceState } from './host-interfaces.ts';
import { HnsError } from './hresults.ts';
import { modifyNetwork } from './modify-network.ts';
import { createNetwork } from './networks.ts';
import type { JsonObject } from './schema/validate.ts';
import type { State } from './state.ts';

/** Throws an error with the HRESULT if the service refuses. */
export interface OtherPrograms {
  /** A call of the older HNS API. Returns its output. */
  callV1(method: string, path: string, request?: object): JsonObject;
  /** Creates a network, and returns its ID. */
  createNetwork(document: object): string;
  /** Sends a ModifyNetworkSettingRequest. */
  modifyNetwork(id: string, request: object): void;
  /** Enables IPv4 forwarding on the interface that has an address, as Set-NetIPInterface does. */
  enableForwarding(address: string): void;
}

export function otherPrograms(state: State): OtherPrograms {
  return {
    callV1: (method, path, request) =>
      JSON.parse(hnsCall(state, [method, path, request === undefined ? '' : JSON.stringify(request)])).Output,
    createNetwork: (document) => createNetwork(state, undefined, plain(document)).id,
    modifyNetwork: (id, request) => {
      const network = state.networks.get(id.toLowerCase());
      if (network === undefined) throw new HnsError('HCN_E_NETWORK_NOT_FOUND');
      modifyNetwork(state, network, plain(request));
    },
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

function plain(document: object): JsonObject {
  return JSON.parse(JSON.stringify(document));
}
