// What OVN-Kubernetes' hybrid overlay and OpenShift's Windows Machine Config Operator create on a Windows node.
// Sources: ovn-org/ovn-kubernetes at 6c366bb, go-controller/hybrid-overlay/pkg/controller/ho_node_windows.go and overlay_windows.go;
// openshift/windows-machine-config-operator at 0be4b9c, pkg/nodeconfig/payload/payload.go.

import type { HcnClient } from '../../../src/hcn/client.ts';
import { type HostComputeNetwork, schemaVersion } from '../../../src/hcn/documents.ts';
import { settingsOf } from '../../../src/model/network-document.ts';
import { firstHost, parsePrefix } from '../../../src/net/prefix.ts';
import type { Hns } from '../../simulator/hns.ts';

export const ovnNetwork = 'OVNKubernetesHybridOverlayNetwork';

/** The VXLAN network identifier of all nodes. */
const vni = 4097;

export interface OvnRemoteNode {
  /** The annotation `k8s.ovn.org/hybrid-overlay-node-subnet`. */
  readonly subnet: string;
  /** The node's InternalIP. */
  readonly address: string;
  /** The annotation `k8s.ovn.org/hybrid-overlay-distributed-router-gateway-mac`. */
  readonly drMac: string;
}

export interface OvnOptions {
  readonly subnet: string;
  /** `--hybrid-overlay-vxlan-port`. Default: 4789, which is not sent. */
  readonly vxlanPort?: number;
}

const baseId = 'a0c1f9a6-6f6b-4f36-9a6e-0c8a5b1c7d01';
export const ovnNetworkId = 'a0c1f9a6-6f6b-4f36-9a6e-0c8a5b1c7d02';

/** hybrid-overlay-node starts: two Overlay networks and HostRoute. Returns the MAC address that it publishes. */
export async function runHybridOverlay(
  hcn: HcnClient,
  { subnet, vxlanPort = 4789 }: OvnOptions,
): Promise<string> {
  const base = network(
    'BaseOVNKubernetesHybridOverlayNetwork',
    '100.64.0.0/30',
    '100.64.0.2',
    vni + 1,
    vxlanPort,
  );
  await hcn.createNetwork(baseId, { ...base, Flags: 0 });
  const prefix = parsePrefix(subnet);
  const gateway = (prefix && firstHost(prefix)) ?? '';
  await hcn.createNetwork(ovnNetworkId, {
    ...network(ovnNetwork, subnet, gateway, vni, vxlanPort),
    Flags: 8,
  });
  await hcn.addNetworkPolicies(ovnNetworkId, [{ Type: 'HostRoute', Settings: {} }]);
  const { Policies } = (await hcn.findNetworkById(ovnNetworkId)) ?? {};
  return String(settingsOf(Policies, 'DrMacAddress')?.['Address']);
}

/** hybrid-overlay-node learns of another node. */
export async function addOvnNode(hcn: HcnClient, other: OvnRemoteNode): Promise<void> {
  const Settings = {
    DestinationPrefix: other.subnet,
    IsolationId: vni,
    ProviderAddress: other.address,
    DistributedRouterMacAddress: other.drMac.replaceAll('-', ':').toLowerCase(),
  };
  await hcn.addNetworkPolicies(ovnNetworkId, [{ Type: 'RemoteSubnetRoute', Settings }]);
}

/** WMCO's network-conf.ps1: the endpoint for kube-proxy's source VIP, whose address HNS chooses, attached to the host. */
export function createVipEndpoint({ others }: Hns): string {
  return others.createHostEndpoint(ovnNetworkId, { Name: 'VIPEndpoint' }).address;
}

function network(
  Name: string,
  IpAddressPrefix: string,
  NextHop: string,
  IsolationId: number,
  port: number,
): HostComputeNetwork {
  const isHybrid = Name === ovnNetwork;
  return {
    Name,
    Type: 'Overlay',
    Policies: [
      { Type: 'AutomaticDNS', Settings: { Enable: isHybrid } },
      ...(port === 4789 ? [] : [{ Type: 'VxlanPort', Settings: { Port: port } }]),
    ],
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            IpAddressPrefix,
            Policies: [{ Type: 'VSID', Settings: { IsolationId } }],
            Routes: [{ NextHop, DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
    SchemaVersion: schemaVersion,
  };
}
