import type { NetworkConfig } from '../../../config/network-config.ts';
import { addressesIn, type HostComputeNetwork, type ObservedNetwork } from '../../../hcn/documents.ts';
import { hostEndpointId } from '../../../model/identity.ts';
import { boundAdapter } from '../../../model/network-document.ts';
import { selectHostNamespace } from '../../../model/ownership.ts';
import { hasManagementAddress, isUsableAddress } from '../../../model/readiness.ts';
import { familyOf } from '../../../net/address.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import {
  findUplink,
  forwardingInterfaces,
  hostEndpointAddress,
  isHostInterfaceAlias,
  isUplink,
} from '../../../plan/host-endpoint.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../../../plan/remote-subnet-differences.ts';
import { routedSubnets } from '../../../plan/remote-subnets.ts';
import { attachedEndpoints } from '../../network/delete-network.ts';
import { quote, quoteAlways } from '../../terminal/powershell.ts';
import { countText, firstFew } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, known, pass, unknown, warn } from '../finding.ts';
import { attachedHostEndpoint, type ExpectedNetwork, expectedNetwork, missingNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';
import { objectKey } from './endpoints.ts';

/** Checks that the node still has an address on each adapter that a network uses, or will use. */
export const managementAddress: Check = {
  name: 'management address',
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const bound = [...inventory.networks, ...missingNetwork(snapshot)].filter(
      (one) => boundAdapter(one) !== undefined,
    );
    if (bound.length === 0) return [];
    const adapters = known(snapshot.adapters);
    const isForPods = (one: (typeof bound)[number]) =>
      one.Name === snapshot.configuration.network?.name || attachedEndpoints(one, inventory).pods.length > 0;
    return bound.map((one) => diagnoseUplink(one, isForPods(one), adapters));
  },
};

/** Only pods need a default route: a network without them may be one for storage. */
function diagnoseUplink(
  network: HostComputeNetwork,
  isForPods: boolean,
  adapters: readonly HostAdapter[],
): Diagnosis {
  const uplinks = adapters.filter((adapter) => isUplink(adapter, network, adapters));
  const where = `network "${network.Name}" on adapter "${boundAdapter(network)}"`;
  const uplink = uplinks.find(({ addresses }) => addresses.some(({ address }) => isGlobal(address)));
  if (uplink === undefined) return diagnoseLostAddress(where, uplinks);
  const { alias, addresses, gateways, isUp } = uplink;
  const shown = addresses.map(({ address }) => address).filter(isGlobal);
  const seen = `${where}: "${alias}" has ${shown.join(', ')}`;
  if (!isUp) return fail(`${seen} but is down`, { fix: `Enable-NetAdapter -Name ${quoteAlways(alias)}` });
  const [gateway] = gateways;
  if (gateway === undefined && !isForPods) return pass(seen);
  if (gateway === undefined)
    return warn(`${seen} but no default route: pods may not reach other networks`, {
      see: 'Get-NetRoute -DestinationPrefix 0.0.0.0/0',
    });
  return pass(`${seen} and the default route via ${gateway}`);
}

function diagnoseLostAddress(where: string, uplinks: readonly HostAdapter[]): Diagnosis {
  const [first] = uplinks.toSorted((a, b) => b.addresses.length - a.addresses.length);
  if (first === undefined)
    return fail(`${where}: the node has no interface on it`, { see: 'Get-NetAdapter -IncludeHidden' });
  const apipa = first.addresses.find(({ address }) => address.startsWith('169.254.'))?.address;
  const loss =
    apipa === undefined
      ? 'has no address'
      : `has only ${apipa} (APIPA): no DHCP server responds, or a static address was lost`;
  return fail(`${where}: "${first.alias}" ${loss}`, {
    see: `Get-NetIPConfiguration -InterfaceAlias ${quoteAlways(first.alias)} -Detailed`,
  });
}

/** Whether other hosts can reach an address. */
function isGlobal(address: string): boolean {
  return familyOf(address) === 'IPv4' ? isUsableAddress(address) : !/^fe[89ab]/i.test(address);
}

const showRoutes =
  'Get-NetRoute -DestinationPrefix 0.0.0.0/0 | Format-Table InterfaceAlias, NextHop, RouteMetric, InterfaceMetric';

/** Checks that the node has exactly one default route. A host endpoint created with a default route adds a second one. */
export const defaultRoute: Check = {
  name: 'default route',
  diagnose: (snapshot) => {
    const routes = known(snapshot.adapters)
      .filter(({ isUp }) => isUp)
      .flatMap(({ alias, index, gateways }) =>
        gateways.filter((one) => familyOf(one) === 'IPv4').map((gateway) => ({ alias, index, gateway })),
      );
    const seen = routes.map(({ alias, gateway }) => `via ${gateway} on "${alias}"`).join(', ');
    if (routes.length === 1) return [pass(seen)];
    if (routes.length === 0) return [fail('the node has no IPv4 default route', { see: showRoutes })];
    const networks = 'value' in snapshot.inventory ? snapshot.inventory.value.networks : [];
    const isOfHostEndpoint = ({ alias }: (typeof routes)[number]) =>
      networks.some(({ Name }) => isHostInterfaceAlias(alias, Name));
    const surplus = routes.find(isOfHostEndpoint);
    const all = `${routes.length} IPv4 default routes: ${seen}`;
    if (surplus === undefined || routes.every(isOfHostEndpoint)) return [warn(all, { see: showRoutes })];
    return [
      warn(`${all}; a host endpoint does not need one`, {
        fix: `Remove-NetRoute -InterfaceIndex ${surplus.index} -DestinationPrefix 0.0.0.0/0 -Confirm:$false`,
      }),
    ];
  },
};

/** Checks that the node has an endpoint on the pods' network, if that is a bridge. */
export const hostEndpoint: Check = {
  name: 'host endpoint',
  diagnose: (snapshot) => {
    const expected = expectedNetwork(snapshot);
    if (expected?.is !== 'planned' || expected.found === undefined) return [];
    return hasManagementAddress(expected.network) ? [diagnoseHostEndpoint(expected, snapshot)] : [];
  },
};

function diagnoseHostEndpoint(
  { config, network, inventory }: ExpectedNetwork & { readonly is: 'planned' },
  { configuration: { used } }: Snapshot,
): Diagnosis {
  const hostNamespace = selectHostNamespace(inventory.namespaces)?.ID;
  const attached = inventory.endpoints.filter(
    ({ HostComputeNetwork, HostComputeNamespace }) =>
      HostComputeNetwork === network.ID &&
      hostNamespace !== undefined &&
      HostComputeNamespace === hostNamespace,
  );
  const addresses = attached.flatMap(addressesIn);
  const actual = `the node has ${addresses.join(', ')} on "${network.Name}"`;
  const wanted = hostEndpointAddress(config, network);
  if (wanted === undefined)
    return addresses.length > 0
      ? pass(actual)
      : warn(
          `the node has no endpoint on "${network.Name}", so kubelet's probes may not reach its pods; "hostEndpoint": {} in the configuration creates one`,
          { see: `win-hcn show network ${quote(network.Name)}` },
        );
  if (addresses.includes(wanted)) return pass(`the node has ${wanted} on "${network.Name}"`);
  const own = attached.find(({ ID }) => ID === hostEndpointId(network.Name));
  if (own !== undefined)
    return fail(`${actual}, but /hostEndpoint requires ${wanted}: ADD fails`, {
      see: `win-hcn show endpoint ${objectKey(own.ID, inventory.endpoints)}`,
    });
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint'))
    return unknown('HCN did not return every endpoint');
  return fail(`the node's endpoint ${wanted} on "${network.Name}" is missing: pods have no gateway`, {
    fix: `win-hcn network ensure ${quote(used?.path ?? '-')} --yes`,
  });
}

/** Checks that the node forwards traffic between the pods and its adapter, if it is their gateway. */
export const forwarding: Check = {
  name: 'IP forwarding',
  diagnose: (snapshot) => {
    const found = expectedNetwork(snapshot)?.found;
    const endpoint = found && attachedHostEndpoint(found, known(snapshot.inventory));
    const address = endpoint && addressesIn(endpoint).find((one) => familyOf(one) === 'IPv4');
    if (found === undefined || address === undefined) return [];
    const own = { address, mac: endpoint?.MacAddress };
    const interfaces = forwardingInterfaces(found, own, known(snapshot.adapters));
    if (interfaces === undefined) return [];
    const needed = [interfaces.host, ...interfaces.management];
    const states = known(snapshot.windows.forwarding);
    const off = needed.filter(({ index }) =>
      states.some((state) => state.index === index && state.family === 'IPv4' && !state.isEnabled),
    );
    const names = (some: typeof needed) => some.map(({ alias }) => `"${alias}"`).join(' and ');
    if (off.length === 0) return [pass(`on for ${names(needed)}`)];
    const fixes = off.map(
      ({ index }) => `Set-NetIPInterface -InterfaceIndex ${index} -AddressFamily IPv4 -Forwarding Enabled`,
    );
    const seen = `IPv4 forwarding is off on ${names(off)}: pods cannot reach other hosts`;
    return [fail(seen, { fix: fixes.join('; ') })];
  },
};

/** Checks that the network reaches the pods of other nodes as the configuration says. */
export const remoteSubnets: Check = {
  name: 'remote subnets',
  diagnose: (snapshot) => {
    const expected = expectedNetwork(snapshot);
    if (expected?.is !== 'planned' || expected.found === undefined) return [];
    const { config, found } = expected;
    return config.remoteSubnets.length === 0
      ? []
      : [diagnoseRemote(config, remoteDifferences(config, found, snapshot), snapshot)];
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
): Diagnosis {
  if (differences === undefined) return unknown('the node has no address on the network');
  const additional = differences.filter(({ difference }) => difference === 'additional');
  const wrong = differences.filter(({ difference }) => difference !== 'additional');
  const others = wrong.filter(({ isOthers }) => isOthers);
  const texts = (some: readonly RemoteSubnetDifference[]) =>
    firstFew(
      some.map(({ text }) => text),
      '; ',
    );
  if (wrong.length > others.length)
    return fail(`${texts(wrong)}: pods cannot reach the pods there`, {
      fix: `win-hcn network sync ${quote(used?.path ?? '-')} --yes`,
    });
  const [first] = others;
  if (first !== undefined)
    return warn(`${texts(others)}: another program created the route`, {
      see: `Get-NetRoute -DestinationPrefix ${first.subnet}`,
    });
  const seen = `${countText(wanted.length, 'remote subnet')} as configured`;
  return pass(additional.length === 0 ? seen : `${seen}; ${texts(additional)}`);
}
