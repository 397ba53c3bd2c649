// Node objects of Kubernetes, as kubectl get nodes -o json prints them.

/** What differs between nodes. */
export interface GivenNode {
  readonly name: string;
  readonly podCIDRs?: readonly unknown[];
  readonly address?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A node without an agent for its network. */
export function nodeObject({ name, podCIDRs = [], address, annotations = {} }: GivenNode): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', ...annotations },
      labels: { 'kubernetes.io/hostname': name },
      name,
      uid: 'b1f2b3a4-0c0d-4e0f-8a9b-0c1d2e3f4a5b',
    },
    spec: { ...(podCIDRs.length > 0 && { podCIDR: podCIDRs[0], podCIDRs }) },
    status: {
      addresses: [
        ...(address === undefined ? [] : [{ address, type: 'InternalIP' }]),
        { address: name, type: 'Hostname' },
      ],
    },
  };
}

interface VxlanNode extends GivenNode {
  readonly mac?: string | null;
  readonly vni?: unknown;
}

/** A node as flannel publishes it with the backend vxlan. */
export function vxlanNode({ mac = null, vni = 4096, annotations, ...node }: VxlanNode): object {
  return nodeObject({
    ...node,
    annotations: {
      'flannel.alpha.coreos.com/backend-data': JSON.stringify({ VNI: vni, VtepMAC: mac }),
      'flannel.alpha.coreos.com/backend-type': 'vxlan',
      'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
      ...(node.address !== undefined && { 'flannel.alpha.coreos.com/public-ip': node.address }),
      ...annotations,
    },
  });
}

/** A node as flannel publishes it with the backend host-gw. */
export function hostGwNode({ annotations, ...node }: GivenNode): object {
  return nodeObject({
    ...node,
    annotations: {
      'flannel.alpha.coreos.com/backend-data': 'null',
      'flannel.alpha.coreos.com/backend-type': 'host-gw',
      'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
      ...(node.address !== undefined && { 'flannel.alpha.coreos.com/public-ip': node.address }),
      ...annotations,
    },
  });
}

/** The output of kubectl get nodes -o json. */
export function nodeList(...items: readonly unknown[]): string {
  return JSON.stringify(
    { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } },
    null,
    4,
  );
}
