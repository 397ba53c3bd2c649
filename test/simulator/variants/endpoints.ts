// Uncertain: endpoints and their addresses.

import { hresultOf } from '../hresults.ts';
import { codes, type Variant } from './variant.ts';

export const endpointVariants = {
  duplicateEndpoint: {
    meaning: 'the code for a new endpoint whose id is in use',
    evidence: 'I',
    positions: codes('ERROR_OBJECT_ALREADY_EXISTS', 'ERROR_ALREADY_EXISTS'),
  },
  deleteMissingEndpoint: {
    meaning: 'the code of HcnDeleteEndpoint for a missing endpoint',
    evidence: 'O azure-container-networking#715; S VMLord accepts both',
    positions: codes('HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'),
  },
  otherNetworkInEndpoint: {
    meaning: 'a new endpoint whose `HostComputeNetwork` is not the network of the handle',
    evidence: 'I',
    positions: ['refused', 'ignored'],
  },
  namespaceInEndpoint: {
    meaning: '`HostComputeNamespace` in the document of a new endpoint',
    evidence: 'I',
    positions: ['attached', 'ignored'],
  },
  addressConflict: {
    meaning: 'the code for an address that is in use or reserved',
    evidence: 'O sig-windows-tools#71 (since 2004), k8s#74766 (WS2019)',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS'),
    profiles: { ws2019: hresultOf('ERROR_OBJECT_ALREADY_EXISTS') },
  },
  exhaustedSubnet: {
    meaning: 'the code for a subnet without a free address',
    evidence: 'I',
    positions: codes('HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS', 'HCN_E_INVALID_IP'),
    profiles: { ws2019: hresultOf('ERROR_OBJECT_ALREADY_EXISTS') },
  },
  duplicateRemoteAddress: {
    meaning: 'a remote endpoint with an address that is in use',
    evidence: 'S kube-proxy hns.go (WS2019 accepts it)',
    positions: ['refused', 'accepted'],
    profiles: { ws2019: 'accepted' },
  },
  emptyIpConfigurations: {
    meaning: '`IpConfigurations: []`: no address, or an automatic one',
    evidence: 'C',
    positions: ['none', 'automatic'],
  },
  secondAddressOfFamily: {
    meaning: 'an endpoint with two addresses of one family',
    evidence: 'I',
    positions: ['accepted', 'refused'],
  },
  earlyStaticAddress: {
    meaning: 'the code for a static address before a transparent network is ready',
    evidence: 'C; the code I',
    positions: codes('HCN_E_INVALID_IP', 'HCN_E_SUBNET_NOT_FOUND'),
  },
  remoteWithoutProviderAddress: {
    meaning: "a remote endpoint of an overlay network without its node's address",
    evidence: 'I: kube-proxy always sends it',
    positions: ['refused', 'accepted'],
  },
  endpointDns: {
    meaning: 'whether an endpoint without DNS settings inherits those of its network',
    evidence: 'I',
    positions: ['inherited', 'own'],
  },
  degradedOperation: {
    meaning: 'modifying or attaching a degraded endpoint',
    evidence: 'D HCNHResult.md; never observed',
    positions: ['accepted', 'refused'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
