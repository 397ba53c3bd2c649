import type { RemoteSubnet } from '../../config/network-config.ts';
import { type Family, families, familyOf } from '../../net/address.ts';
import { formatMac } from '../../net/mac.ts';
import { flannelAnnotations } from '../nodes/flannel-annotations.ts';
import type { NodeSide } from './node-side.ts';

type Annotations = Readonly<Record<string, string>>;

/** The annotations that flannel's other nodes read, and the subnets that they cannot express. */
export interface FlannelNode {
  readonly annotations: Annotations;
  readonly omitted: readonly string[];
}

/** Returns what flannel would publish of this node: the backend vxlan for an Overlay network, host-gw for L2Bridge. */
export function flannelNodeOf({ remoteSubnets }: NodeSide): FlannelNode {
  const { managed, backendType } = flannelAnnotations;
  const isTunnel = remoteSubnets.some((remote) => 'providerAddress' in remote);
  const found = families.flatMap((family) => {
    const remote = remoteSubnets.find(({ subnet }) => familyOf(subnet) === family);
    return remote === undefined ? [] : [{ remote, annotations: annotationsOf(remote, family) }];
  });
  return {
    annotations: {
      [managed]: 'true',
      [backendType]: isTunnel ? 'vxlan' : 'host-gw',
      ...Object.assign({}, ...found.map(({ annotations }) => annotations)),
    },
    omitted: found.flatMap(({ remote, annotations }) =>
      annotations === undefined ? [`${remote.subnet}: flannel requires a public address of its family`] : [],
    ),
  };
}

/** Undefined if the node's address is of another family than the subnet, which flannel does not allow. */
function annotationsOf(remote: RemoteSubnet, family: Family): Annotations | undefined {
  const { backendData, publicAddress } = flannelAnnotations;
  const address = 'nextHop' in remote ? remote.nextHop : remote.providerAddress;
  if (familyOf(address) !== family) return undefined;
  const data = 'nextHop' in remote ? null : { VNI: remote.vsid, VtepMAC: formatMac(remote.macAddress) };
  return { [backendData[family]]: JSON.stringify(data), [publicAddress[family]]: address };
}

/** The command that annotates the node. sh and PowerShell 7.3 pass its arguments alike; older PowerShell drops the double quotes. */
export function annotateCommand(node: string, annotations: Annotations): string {
  const pairs = Object.entries(annotations).map(([key, value]) => argument(`${key}=${value}`));
  return ['kubectl annotate node', argument(node), '--overwrite', ...pairs].join(' ');
}

/** A single-quoted string is literal in both shells. Node names, addresses, MAC addresses and numbers have no quotes. */
function argument(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text}'`;
}

/** The same annotations as a manifest for kubectl apply --server-side. */
export function nodeManifest(name: string, annotations: Annotations): object {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } };
}
