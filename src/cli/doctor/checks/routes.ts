import type { NetworkConfig } from '../../../config/network-config.ts';
import { addressesIn, type ObservedNetwork } from '../../../hcn/documents.ts';
import { isOverlay, prefixesOf, providerAddressOf } from '../../../model/network-document.ts';
import { isRemote } from '../../../model/ownership.ts';
import { familyOf } from '../../../net/address.ts';
import type { NodeRoute } from '../../../net/node-route.ts';
import { bitsOf, contains, formatPrefix, parsePrefix } from '../../../net/prefix.ts';
import { findUplink } from '../../../plan/host-endpoint.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../../../plan/remote-subnet-differences.ts';
import { routedSubnets } from '../../../plan/remote-subnets.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { adapterWith, interfaceName, uplinksOf } from '../../traffic/node-state.ts';
import { remoteSubnetWith } from '../../traffic/switch.ts';
import { type Check, type Diagnosis, fail, known, pass, unknown, warn } from '../finding.ts';
import { hostEndpointsOn, usedNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';

/** Checks that the network reaches the pods of other nodes as the configuration says. */
export const remoteSubnets: Check = {
  name: 'remote subnets',
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    if (expected === undefined || expected.config.remoteSubnets.length === 0) return [];
    const { config, found } = expected;
    return diagnoseRemote(config, remoteDifferences(config, found, snapshot), snapshot);
  },
};

function remoteDifferences(
  config: NetworkConfig,
  network: ObservedNetwork,
  { adapters, routes }: Snapshot,
): readonly RemoteSubnetDifference[] | undefined {
  if (routedSubnets(config).length === 0) return policyDifferences(config, network);
  const uplink = findUplink(network, known(adapters));
  return uplink && routeDifferences(config, uplink.index, known(routes));
}

function diagnoseRemote(
  { remoteSubnets: wanted }: NetworkConfig,
  differences: readonly RemoteSubnetDifference[] | undefined,
  { configuration: { used } }: Snapshot,
): readonly Diagnosis[] {
  if (differences === undefined) return [unknown('the node has no address on the network')];
  const wrong = differences.filter(({ difference }) => difference !== 'additional');
  if (wrong.length === 0) return [pass(`${countText(wanted.length, 'remote subnet')} as configured`)];
  return wrong.map(({ text, subnet, isOthers }) => {
    const details = { noun: 'remote subnet', subjects: [text] };
    return isOthers
      ? warn('another program created the route', {
          ...details,
          see: `Get-NetRoute -DestinationPrefix ${subnet}`,
        })
      : fail('pods cannot reach the pods there', {
          ...details,
          fix: `win-hcn network sync ${quote(used?.path ?? '-')} --yes`,
        });
  });
}

/** Finds remote endpoints with a provider address other than that of their remote subnet: kube-proxy keeps that of a node's former address. */
export const remoteEndpoints: Check = {
  name: 'remote endpoints',
  diagnose: ({ inventory }) => {
    const { networks, endpoints } = known(inventory);
    const compared = networks.filter(isOverlay).flatMap((network) =>
      endpoints
        .filter((one) => isRemote(one) && one.HostComputeNetwork === network.ID)
        .flatMap((endpoint) => {
          const actual = providerAddressOf(endpoint);
          const wanted = addressesIn(endpoint).map(
            (one) => remoteSubnetWith(network, one)?.providerAddress,
          )[0];
          return actual === undefined || wanted === undefined ? [] : [{ endpoint, actual, wanted }];
        }),
    );
    const wrong = compared.filter(({ actual, wanted }) => actual !== wanted);
    if (wrong.length > 0)
      return wrong.map(({ endpoint, actual, wanted }) =>
        warn(`remote, sends to node ${actual}, but its subnet is at ${wanted}`, {
          subjects: [`${shortGuid(endpoint.ID)} (${addressesIn(endpoint).join(', ')})`],
          see: `win-hcn show endpoint ${shortGuid(endpoint.ID)}`,
        }),
      );
    if (compared.length === 0) return [];
    return [
      pass(`${countText(compared.length, 'remote endpoint')} with the provider address of the remote subnet`),
    ];
  },
};

/** The types of networks whose pods the node reaches by its own routes. */
const routedTypes = ['l2bridge', 'transparent', 'l2tunnel'];

/** Finds routes that take traffic for pods to another adapter, as a VPN adds them: they are more specific than those to the pods. */
export const capturedTraffic: Check = {
  name: 'other routes',
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    const { adapters, routes } = snapshot;
    if (expected === undefined || 'error' in routes || 'error' in adapters) return [];
    const { config, found } = expected;
    if (!routedTypes.includes(found.Type.toLowerCase())) return [];
    const own = prefixesOf(found);
    const hosted = hostEndpointsOn(found, expected.inventory).flatMap(addressesIn);
    const carrying = new Set(
      [
        ...uplinksOf({ adapters: adapters.value }, found),
        ...hosted.flatMap((address) => adapterWith({ adapters: adapters.value }, address) ?? []),
      ].map(({ index }) => index),
    );
    const subnets = [...own, ...config.remoteSubnets.flatMap(({ subnet }) => parsePrefix(subnet) ?? [])];
    const others = routes.value.filter(({ interfaceIndex }) => !carrying.has(interfaceIndex));
    const captures = subnets.flatMap((subnet) =>
      others.filter((route) => isInside(route, subnet)).map((route) => ({ subnet, route })),
    );
    if (captures.length === 0)
      return [pass(`no route on another adapter leads into ${subnets.map(formatPrefix).join(', ')}`)];
    return captures.map(({ subnet, route: { prefix, nextHop, interfaceIndex } }) => {
      const alias = interfaceName({ adapters: adapters.value }, interfaceIndex);
      return fail(
        `route ${prefix} via ${nextHop} on "${alias}" takes the traffic for pods in ${formatPrefix(subnet)}`,
        { see: `Get-NetRoute -DestinationPrefix ${prefix}` },
      );
    });
  },
};

/** Whether a route is for a part of a subnet, or for all of it; not for a single address of the node. */
function isInside({ prefix }: NodeRoute, subnet: ReturnType<typeof prefixesOf>[number]): boolean {
  const route = parsePrefix(prefix);
  if (route === undefined || route.length === bitsOf(familyOf(route.address))) return false;
  return route.length >= subnet.length && contains(subnet, route.address);
}
