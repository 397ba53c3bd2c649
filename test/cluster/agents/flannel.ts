// flanneld and flannel's CNI plugin on a Windows node, by their source. flannel-io/flannel cdf7605: pkg/backend/hostgw/hostgw_windows.go,
// pkg/backend/route_network_windows.go, pkg/backend/vxlan/device_windows.go and vxlan_network_windows.go. flannel-io/cni-plugin 092e6d2:
// flannel_windows.go.

import { readFileSync } from 'node:fs';
import type { Hns } from '../../simulator/hns.ts';
import type { JsonObject } from '../../simulator/schema/validate.ts';

/** Another node, as its annotations describe it. */
export interface Lease {
  readonly subnet: string;
  readonly publicIp: string;
  /** In the annotation's form, with colons; undefined before the node has a VTEP. */
  readonly vtepMac?: string;
  readonly vni?: number;
}

const schemaVersion = { Major: 2, Minor: 0 };

/** The backend `host-gw`: the network and its endpoint `.2` on the host. `more` is what a script for another plugin sends. */
export function startHostGw(
  hns: Hns,
  subnet: string,
  managementIp: string,
  more: { readonly network?: object; readonly endpoint?: object } = {},
): void {
  const { others } = hns;
  const prefix = subnet.replace(/\.0\/24$/, '');
  const network = others.createNetwork({
    Name: 'cbr0',
    Type: 'L2Bridge',
    Ipams: [
      {
        Subnets: [
          {
            IpAddressPrefix: subnet,
            Routes: [{ NextHop: `${prefix}.1`, DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
    ...more.network,
  });
  const IpConfigurations = [{ IpAddress: `${prefix}.2` }];
  others.createHostEndpoint(network, { Name: 'cbr0_ep', IpConfigurations, ...more.endpoint });
  others.enableForwarding(managementIp);
  others.enableForwarding(`${prefix}.2`);
}

/** flanneld's route for a lease, by New-NetRoute without metric. */
export function addHostGwRoute(hns: Hns, { subnet, publicIp }: Lease): void {
  hns.addNodeRoute(hostGwRoute(hns, subnet, publicIp));
}

/** The route to the next hop, on the interface with the node's address. New-NetRoute's default metric is 256. */
export function hostGwRoute(hns: Hns, prefix: string, nextHop: string) {
  const uplink = hns.hostInterfaces().find(({ gateways }) => gateways.length > 0);
  return { interfaceIndex: uplink?.index ?? 0, prefix, nextHop, metric: 256, protocol: 3 };
}

/** The backend `vxlan`: its network, without remote subnets. */
export function startVxlan(hns: Hns, subnet: string, adapter = 'Ethernet'): string {
  const id = hns.others.createNetwork({
    Type: 'Overlay',
    Name: 'flannel.4096',
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } }],
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            IpAddressPrefix: subnet,
            Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
            Routes: [{ NextHop: subnet.replace(/0\/24$/, '1'), DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
    Flags: 8,
    SchemaVersion: schemaVersion,
  });
  changePolicy(hns, id, 'Add', { Type: 'HostRoute', Settings: {} });
  return id;
}

/** What flanneld writes to its node's annotations once the network exists, with the MAC address of the network's policy. */
export function leaseOf(hns: Hns, subnet: string, publicIp: string): Required<Lease> {
  const policies = hns.dump().networks.flatMap(policiesOf);
  const router = policies.findLast(({ Type }) => Type === 'DrMacAddress')?.Settings['Address'];
  return { subnet, publicIp, vtepMac: String(router).toLowerCase().replaceAll('-', ':'), vni: 4096 };
}

/** The policy that flanneld sends for a lease. */
export function remoteSubnetRoute({ subnet, publicIp, vtepMac, vni = 4096 }: Lease) {
  return {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: subnet,
      IsolationId: vni,
      ProviderAddress: publicIp,
      DistributedRouterMacAddress: vtepMac,
    },
  };
}

/** A node joins or changes: flanneld removes what has its prefix, then adds. It skips a node without a MAC address. */
export function addLease(hns: Hns, network: string, lease: Lease): void {
  for (const policy of remoteSubnetRoutes(hns, network))
    if (policy.Settings['DestinationPrefix'] === lease.subnet) changePolicy(hns, network, 'Remove', policy);
  if (lease.vtepMac !== undefined) changePolicy(hns, network, 'Add', remoteSubnetRoute(lease));
}

/** A policy of a network. */
export interface NetworkPolicy {
  readonly Type: string;
  readonly Settings: Readonly<Record<string, unknown>>;
}

/** The remote subnets that a network has in HNS. */
export function remoteSubnetRoutes(hns: Hns, network: string): readonly NetworkPolicy[] {
  const found = hns.dump().networks.filter(({ ID }) => ID === network);
  return found.flatMap(policiesOf).filter(({ Type }) => Type === 'RemoteSubnetRoute');
}

function policiesOf({ Policies }: JsonObject): readonly NetworkPolicy[] {
  return (Policies ?? []) as unknown as readonly NetworkPolicy[];
}

function changePolicy(hns: Hns, network: string, type: 'Add' | 'Remove', policy: object): void {
  const Settings = { Policies: [policy] };
  hns.others.modifyNetwork(network, { ResourceType: 'Policy', RequestType: type, Settings });
}

/** `C:\run\flannel\subnet.env`. */
export interface SubnetEnvironment {
  readonly FLANNEL_NETWORK: string;
  readonly FLANNEL_SUBNET: string;
  readonly FLANNEL_IPMASQ: string;
}

type Json = Readonly<Record<string, unknown>>;

/** What flannel's plugin passes to its delegate for a conflist of `deploy/flannel`, with what libcni adds. */
export function delegateOf(
  file: string,
  environment: SubnetEnvironment,
  runtimeConfig?: object,
): Json & { readonly name: string } {
  const { plugins, ...list } = JSON.parse(readFileSync(`deploy/flannel/${file}.conflist`, 'utf8'));
  const { cniVersion, name } = list;
  return merge({ ...plugins[0], cniVersion, name, ...(runtimeConfig && { runtimeConfig }) }, environment);
}

/**
 * Merges a configuration of flannel's plugin as doCmdAdd does on Windows: `name`, `ipam`, `ipMasq`, `ipMasqNetwork` and `cniVersion` are
 * flannel's, everything else is the user's.
 */
export function merge(config: Json, environment: SubnetEnvironment): Json & { readonly name: string } {
  const delegate = (config['delegate'] ?? {}) as Json;
  for (const key of ['name', 'ipam'])
    if (key in delegate) throw new Error(`'delegate' dictionary must not have '${key}' field`);
  const { FLANNEL_NETWORK, FLANNEL_SUBNET, FLANNEL_IPMASQ } = environment;
  return {
    type: 'win-bridge',
    ...delegate,
    ...(config['runtimeConfig'] !== undefined && { runtimeConfig: config['runtimeConfig'] }),
    name: String(config['name']),
    ipMasq: FLANNEL_IPMASQ === 'true',
    ipMasqNetwork: FLANNEL_NETWORK.split(',')[0],
    cniVersion: config['cniVersion'] ?? '0.2.0',
    ipam: { type: 'host-local', subnet: networkOf(FLANNEL_SUBNET) },
  };
}

/** flanneld writes the first address of the subnet, as in `10.244.1.1/24`; Go's ParseCIDR returns the network. */
function networkOf(subnet: string): string {
  return subnet.replace(/\.\d+\/24$/, '.0/24');
}
