// Schemas of V2 documents: objects that clients create, queries, and ModifySettingRequests.

import {
  distribution,
  endpointResourceType,
  ipamType,
  modifyRequestType,
  namespaceResourceType,
  namespaceType,
  networkMode,
  networkResourceType,
  protocolType,
  subnetPolicyType,
} from './enumerations.ts';
import {
  any,
  arrayOf,
  guid,
  object,
  required,
  type Schema,
  settings,
  since,
  string,
  uint8,
  uint16,
  uint32,
  uint64,
} from './schema.ts';

const schemaVersion = object({ Major: uint32, Minor: uint32 });
const health = object({
  Data: any,
  Extra: object({
    Resources: any,
    SharedContainers: any,
    LayeredOn: guid,
    SwitchGuid: guid,
    UtilityVM: guid,
    VirtualMachine: guid,
  }),
});
const base = {
  ID: guid,
  Owner: string,
  Name: string,
  Version: uint64,
  AdditionalParams: any,
  Health: health,
  SchemaVersion: schemaVersion,
  Telemetry: object({ Data: any }),
  State: uint16,
};

export const query = object({ SchemaVersion: schemaVersion, Flags: uint32, Filter: string });

const dns = object({
  Domain: string,
  Search: arrayOf(string),
  ServerList: arrayOf(string),
  Options: arrayOf(string),
});
const route = object({ NextHop: required(string), DestinationPrefix: required(string), Metric: uint16 });
const policy = object({ Type: required(any), Settings: any });
const ipSubnet = object({ ...base, IpAddressPrefix: string, Flags: since(11, 0, uint32) });
const subnet = object({
  ...base,
  IpAddressPrefix: string,
  Policies: arrayOf(
    object({ Type: required(subnetPolicyType), Settings: settings({ IsolationId: required(uint32) }) }),
  ),
  Routes: arrayOf(route),
  IpSubnets: since(11, 0, arrayOf(ipSubnet)),
  Flags: since(12, 0, uint32),
});

export const network = object({
  ...base,
  Type: networkMode,
  Flags: uint32,
  Policies: arrayOf(policy),
  MacPool: object({ Ranges: arrayOf(object({ StartMacAddress: string, EndMacAddress: string })) }),
  Dns: dns,
  Ipams: arrayOf(object({ Type: ipamType, Subnets: arrayOf(subnet) })),
});

export const endpoint = object({
  ...base,
  HostComputeNetwork: guid,
  HostComputeNamespace: guid,
  Policies: arrayOf(policy),
  IpConfigurations: arrayOf(
    object({ IpAddress: string, PrefixLength: uint8, IpSubnetId: since(11, 0, guid) }),
  ),
  Dns: dns,
  Routes: arrayOf(route),
  MacAddress: string,
  Flags: uint32,
});

export const namespace = object({
  ...base,
  NamespaceId: uint32,
  NamespaceGuid: guid,
  Type: namespaceType,
});

export const loadBalancer = object({
  ...base,
  HostComputeEndpoints: arrayOf(string),
  SourceVIP: string,
  FrontendVIPs: arrayOf(string),
  PortMappings: arrayOf(
    object({
      Protocol: protocolType,
      InternalPort: uint16,
      ExternalPort: uint16,
      DistributionType: since(12, 0, distribution),
      Flags: uint32,
    }),
  ),
  Flags: uint32,
});

export const policyRequest = object({ Policies: required(arrayOf(policy)) });

function modifyRequest(resourceType: Schema) {
  return object({
    ResourceUri: string,
    ResourceType: required(resourceType),
    RequestType: required(modifyRequestType),
    Settings: any,
  });
}

export const modifyNetwork = modifyRequest(networkResourceType);
export const modifyEndpoint = modifyRequest(endpointResourceType);
export const modifyNamespace = modifyRequest(namespaceResourceType);

export const namespaceEndpoint = object({ EndpointId: required(guid) });
