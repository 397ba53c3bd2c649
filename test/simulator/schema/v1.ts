// Schemas of V1 documents: HNSNetwork, HNSEndpoint, HNSNamespace, PolicyList, with the output-only members that clients send back.

import { any, arrayOf, boolean, guid, object, string, uint8, uint16, uint32, uint64 } from './schema.ts';

const base = {
  ActivityId: string,
  AdditionalParams: any,
  Flags: uint32,
  Health: any,
  ID: guid,
  Name: string,
  Owner: string,
  Policies: arrayOf(any),
  Resources: any,
  SchemaVersion: any,
  State: uint16,
  Version: uint64,
};

const dns = { DNSSuffix: string, DNSServerList: string, DNSServerCompartment: uint32 };

export const networkV1 = object({
  ...base,
  ...dns,
  AutomaticDNS: boolean,
  CurrentEndpointCount: uint32,
  DrMacAddress: string,
  Extensions: any,
  IPv6: boolean,
  InterfaceConstraint: any,
  IsolateSwitch: boolean,
  LayeredOn: guid,
  MacPools: arrayOf(object({ StartMacAddress: string, EndMacAddress: string })),
  ManagementIP: string,
  MaxConcurrentEndpoints: uint32,
  NatName: string,
  NetworkAdapterName: string,
  SourceMac: string,
  Subnets: arrayOf(
    object({
      AdditionalParams: any,
      AddressPrefix: string,
      Flags: uint32,
      GatewayAddress: string,
      Health: any,
      ID: guid,
      IpSubnets: any,
      ObjectType: uint32,
      Policies: arrayOf(any),
      State: uint16,
    }),
  ),
  SwitchGuid: guid,
  SwitchName: string,
  TotalEndpoints: uint32,
  Type: string,
});

export const endpointV1 = object({
  ...base,
  ...dns,
  CreateProcessingStartTime: uint64,
  DNSDomain: string,
  DisableICC: boolean,
  EnableInternalDNS: boolean,
  EnableLowMetric: boolean,
  EncapOverhead: uint16,
  GatewayAddress: string,
  GatewayAddressV6: string,
  IPAddress: string,
  IPv6Address: string,
  IPv6PrefixLength: uint8,
  InterfaceConstraint: any,
  IsRemoteEndpoint: boolean,
  MacAddress: string,
  Namespace: any,
  PortFriendlyName: string,
  PrefixLength: uint8,
  SharedContainers: arrayOf(string),
  StartTime: uint64,
  Type: uint32,
  VirtualMachine: guid,
  VirtualNetwork: guid,
  VirtualNetworkName: string,
});

export const namespaceV1 = object({
  ...base,
  CompartmentGuid: guid,
  CompartmentId: uint32,
  Containers: arrayOf(string),
  EndpointList: any,
  IsDefault: boolean,
  ResourceList: any,
});

export const policyListV1 = object({
  ...base,
  EndpointReferences: arrayOf(string),
  HostComputeNetwork: string,
  IsApplied: boolean,
  References: arrayOf(string),
});
