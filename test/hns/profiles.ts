// Windows releases told apart by the version of their Host Network Service (hcn.md 2.7).

import { type HresultName, hresultOf } from './hresults.ts';

export type Profile = 'ws2019' | 'ws2022' | 'ws2025';

export interface HnsVersion {
  readonly Major: number;
  readonly Minor: number;
}

export const versions: Readonly<Record<Profile, HnsVersion>> = {
  ws2019: { Major: 9, Minor: 5 },
  ws2022: { Major: 13, Minor: 3 },
  ws2025: { Major: 15, Minor: 4 },
};

/** Behaviour that differs between releases or that nobody has evidence for; every one can be chosen in HnsOptions. */
export interface Switches {
  /** An address already taken or reserved: 0x803B002F since 2004, 0x80071392 on WS2019 [O]. */
  readonly addressConflict: number;
  /** A frontend already taken: 0x800700B7, on WS2019 0x803B0013 [O]. */
  readonly loadBalancerConflict: number;
  /** A load balancer or route that refers to a missing endpoint: 0x803B0007 (hcsshim#1043) [O], or 0x803B0002. */
  readonly missingReference: number;
  /** Creating an endpoint with the GUID of another one: no evidence at all [I]. */
  readonly duplicateEndpoint: number;
  /** HcnModifyLoadBalancer: E_NOTIMPL [S], S_OK without effect (15.4, k8s#131466) [O], or what hcsshim expects. */
  readonly modifyLoadBalancer: 'unsupported' | 'ignored' | 'applied';
  /** OutBoundNAT exceptions such as 172.17.0.1/16: refused on WS2022 (hcsshim#1951), accepted on WS2019 [O]. */
  readonly hostBitsInExceptions: 'accepted' | 'refused';
  /** WS2019 lets a remote endpoint take an address that is in use (kube-proxy) [S]. */
  readonly duplicateRemoteAddress: 'accepted' | 'refused';
  /** An endpoint that was attached before: WS2019 answers 0x803B002E (buildkit#5686) [O]. */
  readonly reattachedEndpoint: 'accepted' | 'refused';
  /** A second network of the same name is refused [O]. */
  readonly duplicateNetworkName: 'accepted' | 'refused';
  /** `IpConfigurations: []` asks for no address [C], or for an automatic one. */
  readonly emptyIpConfigurations: 'none' | 'automatic';
  /** Members hcsshim sends and the schema lacks: SdnRoute `Setting`, L4Proxy `Exceptions` and `OutboundNAT`, L4WFPPROXY `Port`. */
  readonly hcsshimMembers: 'accepted' | 'refused';
  /** HcnDeleteEndpoint of a missing endpoint: 0x803B0002 [O], or 0x80070490 (VMLord accepts both). */
  readonly deleteMissingEndpoint: number;
  /** HcnDeleteNetwork of a missing network: 0x80070490 [C], or 0x803B0001. */
  readonly deleteMissingNetwork: number;
  /** A namespace's Remove of an endpoint it does not hold: 0x803B0002 or 0x803B0034 (nvx accepts both) [S]. */
  readonly removeAbsentEndpoint: number;
}

const ws2022: Switches = {
  addressConflict: code('HCN_E_ADDR_INVALID_OR_RESERVED'),
  loadBalancerConflict: code('ERROR_ALREADY_EXISTS'),
  missingReference: code('HCN_E_PORT_NOT_FOUND'),
  duplicateEndpoint: code('ERROR_OBJECT_ALREADY_EXISTS'),
  modifyLoadBalancer: 'unsupported',
  hostBitsInExceptions: 'refused',
  duplicateRemoteAddress: 'refused',
  reattachedEndpoint: 'accepted',
  duplicateNetworkName: 'refused',
  emptyIpConfigurations: 'none',
  hcsshimMembers: 'refused',
  deleteMissingEndpoint: code('HCN_E_ENDPOINT_NOT_FOUND'),
  deleteMissingNetwork: code('ERROR_NOT_FOUND'),
  removeAbsentEndpoint: code('HCN_E_ENDPOINT_NOT_FOUND'),
};

export const switchesOf: Readonly<Record<Profile, Switches>> = {
  ws2019: {
    ...ws2022,
    addressConflict: code('ERROR_OBJECT_ALREADY_EXISTS'),
    loadBalancerConflict: code('HCN_E_PORT_ALREADY_EXISTS'),
    hostBitsInExceptions: 'accepted',
    duplicateRemoteAddress: 'accepted',
    reattachedEndpoint: 'refused',
  },
  ws2022,
  ws2025: { ...ws2022, modifyLoadBalancer: 'ignored' },
};

export function isAtLeast(version: HnsVersion, major: number, minor: number): boolean {
  return version.Major > major || (version.Major === major && version.Minor >= minor);
}

function code(name: HresultName): number {
  return hresultOf(name);
}
