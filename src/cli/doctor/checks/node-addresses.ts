import { addressesIn, type HostComputeNetwork } from '../../../hcn/documents.ts';
import { hostEndpointId } from '../../../model/identity.ts';
import { boundAdapter } from '../../../model/network-document.ts';
import { selectHostNamespace } from '../../../model/ownership.ts';
import { hasManagementAddress, isUsableAddress } from '../../../model/readiness.ts';
import { familyOf } from '../../../net/address.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import {
  findHostInterface,
  hostEndpointAddress,
  isHostInterfaceAlias,
  isUplink,
} from '../../../plan/host-endpoint.ts';
import { attachedEndpoints } from '../../network/delete-network.ts';
import { quote, quoteAlways } from '../../terminal/powershell.ts';
import {
  type Check,
  type Diagnosis,
  fail,
  noConfiguration,
  pass,
  unknown,
  warn,
  withHcnValue,
  withValue,
} from '../check.ts';
import type { Facts } from '../facts.ts';
import { attachedHostEndpoint } from '../host-endpoint.ts';
import { objectKey } from '../object-keys.ts';
import { missingNetwork, type NetworkPlan, planConfiguredNetwork } from '../planned-network.ts';

/** Checks that the node still has an address on each adapter that a network uses, or will use. */
export const managementAddress: Check = {
  name: 'management address',
  diagnose: (facts) =>
    withHcnValue(facts.inventory, (inventory) => {
      const networks = [...inventory.networks, ...missingNetwork(facts)];
      const bound = networks.filter((one) => boundAdapter(one) !== undefined);
      if (bound.length === 0) return [];
      const isForPods = (one: (typeof bound)[number]) =>
        one.Name === facts.configuration.network?.name || attachedEndpoints(one, inventory).pods.length > 0;
      return withValue(
        facts.adapters,
        (adapters) => bound.map((one) => diagnoseUplink(one, isForPods(one), adapters)),
        'Get-NetAdapter',
      );
    }),
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
  diagnose: (facts) => withValue(facts.adapters, (adapters) => [diagnoseRoutes(adapters, facts)], showRoutes),
};

function diagnoseRoutes(adapters: readonly HostAdapter[], facts: Facts): Diagnosis {
  const routes = adapters
    .filter(({ isUp }) => isUp)
    .flatMap(({ alias, index, gateways }) =>
      gateways.filter((one) => familyOf(one) === 'IPv4').map((gateway) => ({ alias, index, gateway })),
    );
  const ofHostEndpoints = hostInterfaces(adapters, facts);
  const seen = routes.map(({ alias, gateway }) => `via ${gateway} on "${alias}"`).join(', ');
  if (routes.length === 1) return pass(seen);
  if (routes.length === 0) return fail('the node has no IPv4 default route', { see: showRoutes });
  const ofHostEndpoint = routes.find(({ index }) => ofHostEndpoints.has(index));
  const hasOther = routes.some(({ index }) => !ofHostEndpoints.has(index));
  const all = `${routes.length} IPv4 default routes: ${seen}`;
  if (ofHostEndpoint === undefined || !hasOther) return warn(all, { see: showRoutes });
  return warn(`${all}; a host endpoint does not need one`, {
    fix: `Remove-NetRoute -InterfaceIndex ${ofHostEndpoint.index} -DestinationPrefix 0.0.0.0/0 -Confirm:$false`,
  });
}

/** The indexes of the interfaces of host endpoints. */
function hostInterfaces(adapters: readonly HostAdapter[], { inventory }: Facts): ReadonlySet<number> {
  if ('error' in inventory) return new Set();
  const found = inventory.value.networks.flatMap((network) => {
    const endpoint = attachedHostEndpoint(network, inventory.value);
    const named = adapters.filter((adapter) => isHostInterfaceAlias(adapter.alias, network.Name));
    if (endpoint === undefined) return named;
    return addressesIn(endpoint).flatMap(
      (address) => findHostInterface(network, { address, mac: endpoint.MacAddress }, adapters) ?? named,
    );
  });
  return new Set(found.map(({ index }) => index));
}

/** Checks that the node has an endpoint on the pods' network, if that is a bridge. */
export const hostEndpoint: Check = {
  name: 'host endpoint',
  diagnose: (facts) => {
    const plan = planConfiguredNetwork(facts);
    if (plan === undefined) return [unknown(noConfiguration)];
    if (plan.is !== 'planned' || plan.found === undefined) return [];
    return hasManagementAddress(plan.network) ? [diagnoseHostEndpoint(plan)] : [];
  },
};

function diagnoseHostEndpoint({
  config,
  network,
  inventory,
}: NetworkPlan & { readonly is: 'planned' }): Diagnosis {
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
  return warn(
    `the node's endpoint ${wanted} on "${network.Name}" is missing: pods have no gateway until the next ADD creates it`,
    { see: 'win-hcn ls endpoints -o wide' },
  );
}
