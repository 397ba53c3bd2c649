/**
 * HCN's documents, schema version 2; keys as on the wire.
 * https://learn.microsoft.com/virtualization/api/hcn/hns_schema
 */
import { parseUnicastMac } from '../net/mac.ts';
import type { EndpointId, LoadBalancerId, NamespaceId, NetworkId } from './guid.ts';

/** The version of a document, or of HNS. */
export interface SchemaVersion {
  readonly Major: number;
  readonly Minor: number;
}

/** Every HNS since Windows Server 2019 accepts version 2.0. HNS reads a document without a version as V1. */
export const schemaVersion: SchemaVersion = { Major: 2, Minor: 0 };

/** The version of the Host Network Service, which determines its features: Windows Server 2022 has 13.3. */
export type HnsVersion = SchemaVersion;

/** A policy of a network, subnet or endpoint. `Settings` depend on `Type`. */
export interface Policy {
  readonly Type: string;
  readonly Settings?: Readonly<Record<string, unknown>>;
}

/** A route of a subnet or endpoint. `Metric` defaults to 0. */
export interface Route {
  readonly NextHop: string;
  readonly DestinationPrefix: string;
  readonly Metric?: number;
}

/** A subnet of a network. */
export interface Subnet {
  readonly IpAddressPrefix: string;
  readonly Policies?: readonly Policy[];
  readonly Routes?: readonly Route[];
}

/** Address management of a network. Type: Static or DHCP. */
export interface Ipam {
  readonly Type?: string;
  readonly Subnets?: readonly Subnet[];
}

/** DNS settings of a network or endpoint. */
export interface Dns {
  readonly Domain?: string;
  readonly Search?: readonly string[];
  readonly ServerList?: readonly string[];
  readonly Options?: readonly string[];
}

/** Health of an object; `LastErrorCode` is an HRESULT. */
export interface Health {
  readonly Data?: { readonly LastErrorCode?: number };
}

/** A range of MAC addresses, such as 00-15-5D-00-00-00 to 00-15-5D-00-0F-FF. */
export interface MacRange {
  readonly StartMacAddress: string;
  readonly EndMacAddress: string;
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNetwork */
export interface HostComputeNetwork {
  readonly ID?: NetworkId;
  readonly Name: string;
  readonly Type?: string;
  readonly Policies?: readonly Policy[];
  readonly MacPool?: { readonly Ranges: readonly MacRange[] };
  readonly Dns?: Dns;
  readonly Ipams?: readonly Ipam[];
  readonly Flags?: number;
  readonly Health?: Health;
  readonly SchemaVersion: SchemaVersion;
}

/** A network as HCN returns it. */
export type ObservedNetwork = HostComputeNetwork & { readonly ID: NetworkId; readonly Type: string };

/** An address of an endpoint. */
export interface IpConfig {
  readonly IpAddress: string;
  readonly PrefixLength?: number;
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeEndpoint */
export interface HostComputeEndpoint {
  readonly ID?: EndpointId;
  readonly Name: string;
  readonly HostComputeNetwork: NetworkId;
  readonly HostComputeNamespace?: NamespaceId;
  readonly Policies?: readonly Policy[];
  readonly IpConfigurations?: readonly IpConfig[];
  readonly Dns?: Dns;
  readonly Routes?: readonly Route[];
  readonly MacAddress?: string;
  readonly Flags?: number;
  readonly Health?: Health;
  /** 1 created, 2 attached, 3 attached and shared, 4 detached, 5 degraded, 6 destroyed. */
  readonly State?: number;
  readonly SchemaVersion: SchemaVersion;
}

/** An endpoint as HCN returns it. */
export type ObservedEndpoint = HostComputeEndpoint & { readonly ID: EndpointId };

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNamespace */
export interface HostComputeNamespace {
  readonly ID?: NamespaceId;
  readonly NamespaceId?: number;
  readonly Type?: string;
  readonly Resources?: readonly NamespaceResource[];
  readonly SchemaVersion: SchemaVersion;
}

/** A container or endpoint in a namespace. */
export interface NamespaceResource {
  readonly Type: string;
  readonly Data: { readonly Id?: string };
}

/** ModifyNetworkSettingRequest or ModifyEndpointSettingRequest: https://learn.microsoft.com/virtualization/api/hcn/hns_schema */
export interface PoliciesRequest {
  readonly ResourceType: 'Policy';
  readonly RequestType: 'Add' | 'Remove';
  readonly Settings: { readonly Policies: readonly Policy[] };
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#ModifyNamespaceSettingRequest */
export interface ModifyNamespaceSettingRequest {
  readonly ResourceType: 'Endpoint';
  readonly RequestType: 'Add' | 'Remove';
  readonly Settings: { readonly EndpointId: EndpointId };
}

/** Enumerations are numbers. Members that are zero are left out, which every HNS accepts. */
export interface LoadBalancerPortMapping {
  readonly Protocol: number;
  readonly InternalPort: number;
  readonly ExternalPort: number;
  readonly DistributionType?: number;
  readonly Flags?: number;
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeLoadBalancer */
export interface HostComputeLoadBalancer {
  readonly ID?: LoadBalancerId;
  readonly HostComputeEndpoints: readonly EndpointId[];
  readonly SourceVIP?: string;
  readonly FrontendVIPs?: readonly string[];
  readonly PortMappings: readonly LoadBalancerPortMapping[];
  readonly Flags?: number;
  readonly SchemaVersion: SchemaVersion;
}

/** A load balancer as HCN returns it. */
export type ObservedLoadBalancer = HostComputeLoadBalancer & { readonly ID: LoadBalancerId };

/** An endpoint's addresses without their prefix lengths. */
export function addressesIn({
  IpConfigurations = [],
}: Pick<HostComputeEndpoint, 'IpConfigurations'>): readonly string[] {
  return IpConfigurations.map(({ IpAddress }) => IpAddress);
}

/** The IP addresses of an endpoint, and its MAC address, in capitals and with dashes. HNS may have none before it attaches the endpoint. */
export function allAddressesIn(
  endpoint: Pick<HostComputeEndpoint, 'IpConfigurations' | 'MacAddress'>,
): readonly string[] {
  const mac = parseUnicastMac(endpoint.MacAddress ?? '');
  return [...addressesIn(endpoint), ...(mac === undefined ? [] : [mac])];
}

/** The host ports of PortMapping policies. */
export function hostPortsIn(policies: readonly Policy[] = []): readonly number[] {
  return policies.flatMap(({ Type, Settings }) => {
    const port = Settings?.['ExternalPort'];
    return Type === 'PortMapping' && typeof port === 'number' ? port : [];
  });
}

/** Queries an object in HNS's older form, which has more members of a network. */
export const version1Query = JSON.stringify({ SchemaVersion: { Major: 1, Minor: 0 } });

/** The query for an object, or for all objects whose V1 form has the members in `filter`. */
export function hostComputeQuery(filter?: Readonly<Record<string, string | boolean>>): string {
  return JSON.stringify({
    SchemaVersion: schemaVersion,
    Flags: 0,
    ...(filter === undefined ? {} : { Filter: JSON.stringify(filter) }),
  });
}

/** A document as HCN reads it: JavaScript has the exact value of an interface LUID, but prints one above 2^53 rounded. */
export function documentText(document: object): string {
  return JSON.stringify(document).replace(
    /("InterfaceLuid":)(\d{16,})/g,
    (_, key: string, digits: string) => `${key}${BigInt(Number(digits))}`,
  );
}

/** A document as JSON without secrets, which are the preshared keys of Encryption policies. */
export function withoutKeys(document: unknown): string {
  return JSON.stringify(document, (name, value: unknown) =>
    isKey(name) && typeof value === 'string' ? '(secret)' : value,
  );
}

/** Whether a member of this name holds a secret key: it ends in `key`, but is not a word such as monkey. */
export function isKey(name: string): boolean {
  return /(?<!public[_-]?|mon|don|tur|hoc|joc|whis)key$/i.test(name);
}
