// Calico's programs on a Windows node, by their source. projectcalico/calico 87c1590: node/windows-packaging/CalicoWindows/node/
// node-service.ps1, cni-plugin/pkg/dataplane/windows/dataplane_windows.go, felix/dataplane/windows/endpoint_mgr.go and vxlan_mgr.go.

import type { Hns } from '../../simulator/hns.ts';
import type { JsonObject } from '../../simulator/schema/validate.ts';
import { type NetworkPolicy, remoteSubnetRoutes } from './flannel.ts';

type Backend = 'vxlan' | 'windows-bgp' | 'none';

/**
 * node-service.ps1 after a boot, then `calico.exe component node startup`. With the backend `none` it touches no network. Otherwise it
 * deletes every network but those of type nat, and creates `External` and `Calico`.
 */
export function startCalicoNode(hns: Hns, backend: Backend, block: string): void {
  if (backend === 'none') return;
  for (const network of networksOf(hns))
    if (String(network['Type']).toLowerCase() !== 'nat')
      hns.others.callV1('DELETE', `/networks/${network['ID']}`);
  const isVxlan = backend === 'vxlan';
  const type = isVxlan ? 'Overlay' : 'L2Bridge';
  const create = (Name: string, AddressPrefix: string, GatewayAddress: string, VSID: number) =>
    hns.others.callV1('POST', '/networks/', {
      Name,
      Type: type,
      Subnets: [{ AddressPrefix, GatewayAddress, ...(isVxlan && { Policies: [{ Type: 'VSID', VSID }] }) }],
    });
  create('External', '192.168.255.0/30', '192.168.255.1', 9999);
  create('Calico', block, block.replace(/\.0\/\d+$/, '.1'), 4096);
}

/** felix' endpoint manager: the endpoint of a pod's address on a network that matches KUBE_NETWORK; undefined if it finds none. */
export function felixEndpoint(hns: Hns, kubeNetwork: RegExp, address: string): JsonObject | undefined {
  const attached = [2, 3];
  return endpointsOf(hns).find(
    (endpoint) =>
      endpoint['IsRemoteEndpoint'] !== true &&
      kubeNetwork.test(String(endpoint['VirtualNetworkName'])) &&
      attached.includes(Number(endpoint['State'])) &&
      endpoint['IPAddress'] === address,
  );
}

/** What felix applies to a pod that one policy selects, which allows TCP port 80 in. */
export function felixRules(hostAddresses: readonly string[]): readonly object[] {
  const rule = (Direction: string, changes: object) => ({
    Type: 'ACL',
    RuleType: 'Switch',
    Action: 'Block',
    Direction,
    Protocol: 256,
    ...changes,
  });
  return [
    rule('In', {
      Id: 'allow-host-to-endpoint',
      Action: 'Allow',
      RemoteAddresses: hostAddresses.map((address) => `${address}/32`).join(','),
      Priority: 900,
    }),
    rule('In', { Id: 'API0|policy-web', Action: 'Allow', Protocol: 6, LocalPorts: '80', Priority: 1000 }),
    rule('In', { Id: 'DRI', Priority: 1001 }),
    rule('Out', { Id: 'profile-default', Action: 'Allow', Priority: 1000 }),
    rule('In', { RuleType: 'Host', Action: 'Allow', Priority: 100 }),
    rule('Out', { RuleType: 'Host', Action: 'Allow', Priority: 100 }),
  ];
}

/**
 * ApplyACLPolicy posts the ACLs only. Calico's own pods keep their OutBoundNAT then, so HNS replaces the policies of this type and keeps
 * the others: inferred.
 */
export function applyAcls(hns: Hns, endpoint: JsonObject, rules: readonly object[]): void {
  const policies = (endpoint['Policies'] ?? []) as unknown as readonly { readonly Type: string }[];
  hns.others.callV1('POST', `/endpoints/${endpoint['ID']}`, {
    ...{ ID: endpoint['ID'], VirtualNetwork: endpoint['VirtualNetwork'] },
    Policies: [...policies.filter(({ Type }) => Type !== 'ACL'), ...rules],
  });
}

/**
 * felix' VXLAN manager, which runs if the cluster has an IP pool with VXLAN. It owns the remote subnets of the first network whose name
 * begins with calico, whatever KUBE_NETWORK is: it removes each one that is not in `wanted`. Returns whether it found a network.
 */
export function felixRoutes(hns: Hns, wanted: readonly NetworkPolicy[]): boolean {
  const network = hns.dump().networks.find(({ Name }) => /calico.*/i.test(String(Name)));
  if (network === undefined) return false;
  const id = String(network['ID']);
  const existing = remoteSubnetRoutes(hns, id);
  const text = ({ Settings }: NetworkPolicy) => JSON.stringify(Object.entries(Settings).toSorted());
  const missing = (from: readonly NetworkPolicy[], list: readonly NetworkPolicy[]) =>
    list.filter((one) => !from.some((other) => text(other) === text(one)));
  const change = (RequestType: string, policy: NetworkPolicy) =>
    hns.others.modifyNetwork(id, { ResourceType: 'Policy', RequestType, Settings: { Policies: [policy] } });
  for (const policy of missing(wanted, existing)) change('Remove', policy);
  for (const policy of missing(existing, wanted)) change('Add', policy);
  return true;
}

function networksOf(hns: Hns): readonly JsonObject[] {
  return hns.others.callV1('GET', '/networks/') as unknown as readonly JsonObject[];
}

function endpointsOf(hns: Hns): readonly JsonObject[] {
  return hns.others.callV1('GET', '/endpoints/') as unknown as readonly JsonObject[];
}
