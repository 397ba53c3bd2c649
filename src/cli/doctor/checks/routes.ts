import type { NetworkConfig } from '../../../config/network-config.ts';
import type { ObservedNetwork } from '../../../hcn/documents.ts';
import { prefixesOf } from '../../../model/network-document.ts';
import type { NodeRoute } from '../../../net/node-route.ts';
import { contains, formatPrefix, parsePrefix } from '../../../net/prefix.ts';
import { findUplink } from '../../../plan/host-endpoint.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../../../plan/remote-subnet-differences.ts';
import { routedSubnets } from '../../../plan/remote-subnets.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { interfaceName, uplinksOf } from '../../traffic/node-state.ts';
import { type Check, type Diagnosis, fail, known, pass, unknown, warn } from '../finding.ts';
import { usedNetwork } from '../plan.ts';
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
    const carrying = new Set(
      [
        ...uplinksOf({ adapters: adapters.value }, found),
        ...adapters.value.filter(({ addresses }) =>
          addresses.some(({ address }) => own.some((prefix) => contains(prefix, address))),
        ),
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

/** Whether a route is for a part of a subnet, or for all of it. */
function isInside({ prefix }: NodeRoute, subnet: ReturnType<typeof prefixesOf>[number]): boolean {
  const route = parsePrefix(prefix);
  return route !== undefined && route.length >= subnet.length && contains(subnet, route.address);
}
