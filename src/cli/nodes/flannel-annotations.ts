import type { Family } from '../../net/address.ts';

const prefix = 'flannel.alpha.coreos.com';

/**
 * The annotations with which flannel's nodes tell each other how to reach their pods.
 * https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/annotations.go
 */
export const flannelAnnotations = {
  /** `true` on every node that flannel manages. */
  managed: `${prefix}/kube-subnet-manager`,
  /** `vxlan` or `host-gw`, among others. */
  backendType: `${prefix}/backend-type`,
  /** JSON: with `vxlan`, the VNI and the MAC address of the node's tunnel; null with `host-gw`. */
  backendData: { IPv4: `${prefix}/backend-data`, IPv6: `${prefix}/backend-v6-data` },
  /** The node's address on the physical network. */
  publicAddress: { IPv4: `${prefix}/public-ip`, IPv6: `${prefix}/public-ipv6` },
  /** Set by an administrator, for flannel to publish instead of the address that it finds. */
  publicAddressOverwrite: { IPv4: `${prefix}/public-ip-overwrite`, IPv6: `${prefix}/public-ipv6-overwrite` },
} as const satisfies Readonly<Record<string, string | Readonly<Record<Family, string>>>>;
