import { describeNodeRoute, isOurRoute } from '../../src/net/node-route.ts';
import type { Node, Pod } from '../e2e/node.ts';

/**
 * Lists what is on a node: `network l2bridge; pod web 10.244.1.10`. Of a pod that does not have a namespace, an endpoint in it and, with
 * an IPAM plugin, a lease of its address, lists the parts.
 */
export function leftOn({ hns, ipam }: Node, pods: ReadonlyMap<string, Pod>, hasIpam: boolean): string {
  const { networks, endpoints, namespaces, loadBalancers } = hns.dump();
  const hostNamespace = namespaces.find(({ NamespaceId }) => NamespaceId === 1)?.['ID'];
  const others = new Set(endpoints);
  const foreign = new Set(namespaces.map(({ ID }) => ID).filter((id) => id !== hostNamespace));
  const ofPods = [...pods].flatMap(([name, { netns }]) => {
    const own = endpoints.find(({ Name }) => String(Name).startsWith(`${name}_`));
    others.delete(own ?? {});
    const hasNamespace = foreign.delete(netns);
    const lease = ipam.leases.get(`${name} eth0`);
    if (own === undefined && !hasNamespace && lease === undefined) return [];
    const address = own && addressOf(own);
    const isAttached = own?.['HostComputeNamespace'] === netns;
    if (hasNamespace && isAttached && (!hasIpam || address?.split(' ').includes(lease ?? '')))
      return [`pod ${name} ${address}`];
    const parts = [
      ...(hasNamespace ? ['namespace'] : []),
      ...(own ? [`${isAttached ? '' : 'detached '}endpoint ${address}`] : []),
      ...(lease ? [`lease ${lease}`] : []),
    ];
    return [`of ${name}: ${parts.join(', ')}`];
  });
  return [
    ...networks.map(({ Name }) => `network ${Name}`),
    ...ofPods,
    ...[...others].map((one) => `endpoint ${one['Name'] || one['ID']} ${addressOf(one)}`),
    ...(foreign.size > 0 ? [`${foreign.size} other namespaces`] : []),
    ...[...ipam.leases].flatMap(([holder, address]) =>
      pods.has(holder.replace(/ .*/, '')) ? [] : [`lease ${address} of ${holder}`],
    ),
    ...loadBalancers.map((one) => `load balancer ${frontendOf(one)}`),
    ...hns.nodeRoutes().filter(isOurRoute).map(describeNodeRoute),
  ].join('; ');
}

function addressOf({ IpConfigurations }: Readonly<Record<string, unknown>>): string {
  const configurations: readonly { readonly IpAddress: string }[] = Object(IpConfigurations ?? []);
  return configurations.map(({ IpAddress }) => IpAddress).join(' ');
}

function frontendOf({ FrontendVIPs, PortMappings }: Readonly<Record<string, unknown>>): string {
  const [{ ExternalPort }] = Object(PortMappings);
  return `${Object(FrontendVIPs ?? []).join()}:${ExternalPort}`;
}
