// Windows releases told apart by the version of their Host Network Service.

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
  /** Which GUID counts when argument and document differ [I]. */
  readonly idConflict: 'argument' | 'document';
  /** `HostComputeNetwork` of another network than the handle's [I]. */
  readonly otherNetworkInEndpoint: 'refused' | 'ignored';
  /** `HostComputeNamespace` in the document of a new endpoint [I]. */
  readonly namespaceInEndpoint: 'attached' | 'ignored';
  /** WS2019 loses its NAT networks when the host reboots (moby#38358) [O]. */
  readonly natAfterReboot: 'kept' | 'lost';
  /** WS2019 has a single NAT network, later releases isolate them with VLANs [O]; the code is a guess [I]. */
  readonly secondNat: 'accepted' | 'refused';
  /** Networks created while another one is: a lock, or E_FAIL (contrail's bestiary) [C]. */
  readonly concurrentNetworks: 'serialised' | 'fail';
  /** A host-side subnet that overlaps: 0x80070034 (wsl2-boot#3), 0x800700B7 (hyperv-fix-for-devs#13) [O]. */
  readonly subnetOverlap: number;
  /** Overlaps with networks of types that have no address on the host [I]. */
  readonly overlapAcrossTypes: 'accepted' | 'refused';
  /** An overlay subnet without VSID [I]. */
  readonly overlayWithoutVsid: 'accepted' | 'refused';
  /** L2Bridge and L2Tunnel without any subnet [I]. */
  readonly bridgeWithoutSubnet: 'accepted' | 'refused';
  /** HostRoute: from build 18321 by the documentation, from HNS 9.2 by hcsshim. */
  readonly hostRoute: 'accepted' | 'refused';
  /** Ports for IPv6 are NatFlags of schema 2.8, between 2004 and WS2022 [D]. */
  readonly ipv6PortMapping: 'accepted' | 'refused';
  /** A static address before a transparent network is ready; nobody says with which code [I]. */
  readonly earlyStaticAddress: number;
  /** No free address in the MAC pool: unknown [I]. */
  readonly exhaustedMacPool: number;
  /** No free address in the subnet: unknown [I]. */
  readonly exhaustedSubnet: number;
  /** Two addresses of one family for an endpoint [I]. */
  readonly secondAddressOfFamily: 'accepted' | 'refused';
  /** A remote endpoint of an overlay network without its node's address, which kube-proxy always sends [I]. */
  readonly remoteWithoutProviderAddress: 'accepted' | 'refused';
  /** Whether an endpoint without DNS has the network's [I]. */
  readonly endpointDns: 'inherited' | 'own';
  /** Removing a policy that is not there: 0x803B0008 or nothing [I]. */
  readonly removeAbsentPolicy: 'refused' | 'ignored';
  /** Whether Update keeps the policies of types it does not name [I]. */
  readonly policyUpdate: 'namedTypes' | 'all';
  /** Deleting a network succeeds [T]: its endpoints go [I] or stay; one project claims ERROR_BUSY. */
  readonly networkWithEndpoints: 'cascades' | 'leaves' | 'refuses';
  /** Adding an endpoint to the namespace it is in [I]. */
  readonly attachTwice: 'refused' | 'accepted';
  /** Adding a missing endpoint to a namespace [I]. */
  readonly attachMissingEndpoint: number;
  /** `NamespaceId` of a namespace without a compartment [I]. */
  readonly namespaceIdBeforeAttach: 'zero' | 'omitted';
  /** Deleting a missing load balancer or route [I]. */
  readonly deleteMissingPolicyList: number;
  /** Whether answers repeat the schema version of the query, or are always 2.0 (calico#7305). */
  readonly schemaVersion: 'fixed' | 'echoed';
  /** What a query with the flag Detailed adds [I]. */
  readonly detailedQuery: 'nothing' | 'resources';
  /** A word that an enumeration lacks [I]. */
  readonly unknownEnumerationValue: number;
  /** Changing or attaching a degraded endpoint: HCN_E_DEGRADED_OPERATION exists [D], nobody has seen it. */
  readonly degradedOperation: 'accepted' | 'refused';
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
  idConflict: 'argument',
  otherNetworkInEndpoint: 'refused',
  namespaceInEndpoint: 'attached',
  natAfterReboot: 'kept',
  secondNat: 'accepted',
  concurrentNetworks: 'serialised',
  subnetOverlap: code('ERROR_DUP_NAME'),
  overlapAcrossTypes: 'accepted',
  overlayWithoutVsid: 'refused',
  bridgeWithoutSubnet: 'refused',
  hostRoute: 'accepted',
  ipv6PortMapping: 'accepted',
  earlyStaticAddress: code('HCN_E_INVALID_IP'),
  exhaustedMacPool: code('HCN_E_ADDR_INVALID_OR_RESERVED'),
  exhaustedSubnet: code('HCN_E_ADDR_INVALID_OR_RESERVED'),
  secondAddressOfFamily: 'accepted',
  remoteWithoutProviderAddress: 'refused',
  endpointDns: 'inherited',
  removeAbsentPolicy: 'refused',
  policyUpdate: 'namedTypes',
  networkWithEndpoints: 'cascades',
  attachTwice: 'refused',
  attachMissingEndpoint: code('HCN_E_ENDPOINT_NOT_FOUND'),
  namespaceIdBeforeAttach: 'zero',
  deleteMissingPolicyList: code('ERROR_NOT_FOUND'),
  schemaVersion: 'fixed',
  detailedQuery: 'nothing',
  unknownEnumerationValue: code('HCN_E_INVALID_JSON'),
  degradedOperation: 'accepted',
};

export const switchesOf: Readonly<Record<Profile, Switches>> = {
  ws2019: {
    ...ws2022,
    addressConflict: code('ERROR_OBJECT_ALREADY_EXISTS'),
    loadBalancerConflict: code('HCN_E_PORT_ALREADY_EXISTS'),
    hostBitsInExceptions: 'accepted',
    duplicateRemoteAddress: 'accepted',
    reattachedEndpoint: 'refused',
    natAfterReboot: 'lost',
    secondNat: 'refused',
    hostRoute: 'refused',
    ipv6PortMapping: 'refused',
    exhaustedSubnet: code('ERROR_OBJECT_ALREADY_EXISTS'),
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
