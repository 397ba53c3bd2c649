/** The kinds of HCN's objects. */
export type Kind = 'Network' | 'Endpoint' | 'Namespace' | 'LoadBalancer';

declare const kind: unique symbol;

/** The GUID of an object of a kind, as HCN writes it: lower case, no braces. The id of one kind is not assignable to another. */
export type Guid<K extends Kind = Kind> = string & { readonly [kind]?: K };

/** The id of a network. */
export type NetworkId = Guid<'Network'>;
/** The id of an endpoint. */
export type EndpointId = Guid<'Endpoint'>;
/** The id of a namespace. */
export type NamespaceId = Guid<'Namespace'>;
/** The id of a load balancer. */
export type LoadBalancerId = Guid<'LoadBalancer'>;

/** The sixteen bytes of a Windows GUID structure: three little-endian numbers, then eight bytes as they stand. */
export function guidBytes(guid: Guid): Buffer {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}
