import { addressesIn } from '../../../hcn/documents.ts';
import { isOverlay, prefixesOf, providerAddressOf } from '../../../model/network-document.ts';
import { isRemote } from '../../../model/ownership.ts';
import { familyOf } from '../../../net/address.ts';
import { bitsOf, contains, firstHost, formatPrefix, type Prefix, parsePrefix } from '../../../net/prefix.ts';
import { findUplink } from '../../../plan/host-endpoint.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../../../plan/remote-subnet-differences.ts';
import { routedSubnets } from '../../../plan/remote-subnets.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { adapterWith, chooseRoute, interfaceName, uplinksOf } from '../../traffic/node-state.ts';
import { remoteSubnetWith } from '../../traffic/switch.ts';
import { type Check, fail, known, NotObserved, orPass, warn } from '../finding.ts';
import { hostEndpointsOn, type UsedNetwork, usedNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';

/** Checks that the network reaches the pods of other nodes as the configuration says. */
export const remoteSubnets: Check = {
  name: 'remote subnets',
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    if (expected === undefined || expected.config.remoteSubnets.length === 0) return [];
    const differences = remoteDifferences(expected, snapshot);
    const fix = `win-hcn network sync ${quote(snapshot.configuration.used?.path ?? '-')} --yes`;
    const found = differences
      .filter(({ difference }) => difference !== 'additional')
      .map(({ text, subnet, isOthers }) => {
        const subject = { noun: 'remote subnet', subjects: [text] };
        const see = `Get-NetRoute -DestinationPrefix ${subnet}`;
        return isOthers
          ? warn('another program created the route', { ...subject, see })
          : fail('pods cannot reach the pods there', { ...subject, fix });
      });
    return orPass(found, `${countText(expected.config.remoteSubnets.length, 'remote subnet')} as configured`);
  },
};

function remoteDifferences(
  { config, found }: UsedNetwork,
  { adapters, routes }: Snapshot,
): readonly RemoteSubnetDifference[] {
  if (routedSubnets(config).length === 0) return policyDifferences(config, found);
  const uplink = findUplink(found, known(adapters));
  if (uplink === undefined) throw new NotObserved('the node has no address on the network');
  return routeDifferences(config, uplink.index, known(routes));
}

/** Finds remote endpoints with a provider address other than that of their remote subnet: kube-proxy keeps that of a node's former address. */
export const remoteEndpoints: Check = {
  name: 'remote endpoints',
  diagnose: ({ inventory }) => {
    const { networks, endpoints } = known(inventory);
    const remote = endpoints.filter(isRemote);
    const compared = networks.filter(isOverlay).flatMap((network) =>
      remote
        .filter((one) => one.HostComputeNetwork === network.ID)
        .flatMap((endpoint) => {
          const [address = ''] = addressesIn(endpoint);
          const actual = providerAddressOf(endpoint);
          const wanted = remoteSubnetWith(network, address)?.providerAddress;
          return actual === undefined || wanted === undefined ? [] : [{ endpoint, address, actual, wanted }];
        }),
    );
    if (compared.length === 0) return [];
    const wrong = compared
      .filter(({ actual, wanted }) => actual !== wanted)
      .map(({ endpoint: { ID }, address, actual, wanted }) =>
        warn(`remote, sends to node ${actual}, but its subnet is at ${wanted}`, {
          subjects: [`${shortGuid(ID)} (${address})`],
          see: `win-hcn show endpoint ${shortGuid(ID)}`,
        }),
      );
    const count = `${compared.length} of ${countText(remote.length, 'remote endpoint')}`;
    return orPass(wrong, `${count} with the provider address of the remote subnet`);
  },
};

/** The types of networks whose pods the node reaches by its own routes. */
const routedTypes = ['l2bridge', 'transparent', 'l2tunnel'];

/** Finds routes that take traffic for pods to another adapter, as a VPN adds them: they are more specific than those to the pods. */
export const capturedTraffic: Check = {
  name: 'other routes',
  diagnose: (snapshot) => {
    const expected = usedNetwork(snapshot);
    if (expected === undefined || 'error' in snapshot.routes || 'error' in snapshot.adapters) return [];
    const { config, found, inventory } = expected;
    if (!routedTypes.includes(found.Type.toLowerCase())) return [];
    const node = { adapters: snapshot.adapters.value, routes: snapshot.routes.value };
    const hosted = hostEndpointsOn(found, inventory, node.adapters).flatMap(addressesIn);
    const carrying = [...uplinksOf(node, found), ...hosted.map((address) => adapterWith(node, address))];
    const others = node.routes.filter(
      ({ interfaceIndex }) => !carrying.some((adapter) => adapter?.index === interfaceIndex),
    );
    const remote = config.remoteSubnets.flatMap(({ subnet }) => parsePrefix(subnet) ?? []);
    const subnets = [...prefixesOf(found), ...remote];
    const captures = subnets.flatMap((subnet) =>
      others
        .filter(({ prefix, interfaceIndex }) => {
          if (!isInside(prefix, subnet)) return false;
          if (prefix !== formatPrefix(subnet)) return true;
          const chosen = chooseRoute(node, firstHost(subnet) ?? subnet.address);
          return chosen?.interfaceIndex === interfaceIndex;
        })
        .map(({ prefix, nextHop, interfaceIndex }) => {
          const seen = `route ${prefix} via ${nextHop} on "${interfaceName(node, interfaceIndex)}" takes the traffic for pods in`;
          return fail(`${seen} ${formatPrefix(subnet)}`, {
            see: `Get-NetRoute -DestinationPrefix ${prefix}`,
          });
        }),
    );
    return orPass(captures, `no route on another adapter leads into ${subnets.map(formatPrefix).join(', ')}`);
  },
};

/** Whether a route is for a part of a subnet, or for all of it; not for a single address of the node. */
function isInside(prefix: string, subnet: Prefix): boolean {
  const route = parsePrefix(prefix);
  if (route === undefined || route.length === bitsOf(familyOf(route.address))) return false;
  return route.length >= subnet.length && contains(subnet, route.address);
}
