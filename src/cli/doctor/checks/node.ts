import {
  addressesIn,
  type HostComputeNetwork,
  type ObservedEndpoint,
  type ObservedNetwork,
} from '../../../hcn/documents.ts';
import { hostEndpointId, isDerived } from '../../../model/identity.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { boundAdapter, defaultGateway, prefixesOf } from '../../../model/network-document.ts';
import { isRemote } from '../../../model/ownership.ts';
import { hasManagementAddress, isUsableAddress } from '../../../model/readiness.ts';
import { familyOf } from '../../../net/address.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import { forwardingInterfaces, hostEndpointAddress, isUplink } from '../../../plan/host-endpoint.ts';
import { quote } from '../../terminal/powershell.ts';
import { shortGuid } from '../../terminal/short-text.ts';
import { isInLan } from '../../traffic/node-state.ts';
import { type Check, type Diagnosis, fail, known, pass, unknown, warn } from '../finding.ts';
import { expectedNetwork, hostEndpointsOn, missingNetwork, type UsedNetwork, usedNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';

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
    return bound.map((one) => diagnoseUplink(one, adapters));
  },
};

function diagnoseUplink(network: HostComputeNetwork, adapters: readonly HostAdapter[]): Diagnosis {
  const uplinks = adapters
    .filter((adapter) => isUplink(adapter, network, adapters))
    .map(({ addresses, ...others }) => ({ ...others, addresses: addresses.map(({ address }) => address) }));
  const where = `network "${network.Name}" on adapter "${boundAdapter(network)}"`;
  const uplink = uplinks.find(({ addresses }) => addresses.some(isGlobal));
  if (uplink === undefined) {
    const lost = uplinks.flatMap(({ addresses }) => addresses).join(', ');
    const has = lost === '' ? '' : ` (only ${lost}: no DHCP server responds, or a static address was lost)`;
    return fail(`${where}: the node has no address on it${has}`, { see: 'Get-NetIPConfiguration -Detailed' });
  }
  const seen = `${where}: "${uplink.alias}" has ${uplink.addresses.filter(isGlobal).join(', ')}`;
  if (uplink.isUp) return pass(seen);
  return fail(`${seen} but is down, or "${boundAdapter(network)}" is`, { see: 'Get-NetAdapter' });
}

/** Whether other hosts can reach an address. */
function isGlobal(address: string): boolean {
  return familyOf(address) === 'IPv4' ? isUsableAddress(address) : !/^fe[89ab]/i.test(address);
}

const showRoutes =
  'Get-NetRoute -DestinationPrefix 0.0.0.0/0 | Format-Table InterfaceAlias, NextHop, RouteMetric, InterfaceMetric';

/** Checks that the node has one default route, or prefers it to those of host endpoints, such as flannel's. */
export const defaultRoute: Check = {
  name: 'default route',
  diagnose: ({ adapters, inventory }) => {
    const all = known(adapters);
    const { networks, endpoints } = 'value' in inventory ? inventory.value : { networks: [], endpoints: [] };
    // win-hcn deletes the default route of its own host endpoint.
    const foreign = endpoints.filter(({ ID }) => !isDerived(ID)).flatMap(addressesIn);
    const bound = networks.filter((network) => boundAdapter(network) !== undefined);
    const routes = all
      .filter(({ isUp }) => isUp)
      .toSorted((one, other) => one.metric - other.metric)
      .flatMap((adapter) =>
        adapter.gateways
          .filter((gateway) => familyOf(gateway) === 'IPv4')
          .map((gateway) => ({
            text: `via ${gateway} on "${adapter.alias}"`,
            metric: adapter.metric,
            isForeign: adapter.addresses.some(({ address }) => foreign.includes(address)),
            carriesPods: bound.some((network) => isUplink(adapter, network, all)),
          })),
      );
    const [first, ...others] = routes;
    if (first === undefined) return [fail('the node has no IPv4 default route', { see: showRoutes })];
    if (others.length === 0) return [pass(first.text)];
    const isPreferred = !first.isForeign && others.every(({ metric }) => metric > first.metric);
    const texts = (some: typeof routes) => some.map(({ text }) => text).join(', ');
    if (isPreferred && (first.carriesPods || others.every(({ isForeign }) => isForeign)))
      return [pass(`${first.text}, by its interface metric before ${texts(others)}`)];
    return [warn(`${routes.length} IPv4 default routes: ${texts(routes)}`, { see: showRoutes })];
  },
};

/** Checks that the node has an endpoint on the pods' network, if that is a bridge. */
export const hostEndpoint: Check = {
  name: 'host endpoint',
  diagnose: (snapshot) => {
    const used = usedNetwork(snapshot);
    return used !== undefined && hasManagementAddress(used.network)
      ? [diagnoseHostEndpoint(used, snapshot.configuration.used?.path)]
      : [];
  },
};

function diagnoseHostEndpoint(
  { config, network, found, inventory, adapters }: UsedNetwork,
  path = '-',
): Diagnosis {
  const { Name } = network;
  const attached = hostEndpointsOn(found, inventory, adapters);
  const addresses = attached.flatMap(addressesIn);
  const wanted = hostEndpointAddress(config, network);
  const actual = `the node has ${addresses.join(', ')} on "${Name}"`;
  if (wanted === undefined && addresses.length > 0) return pass(actual);
  if (wanted === undefined && prefixesOf(found).some(({ address }) => isInLan(found, address, { adapters })))
    return pass(`"${Name}" is on the LAN of the node, which needs no endpoint there`);
  if (wanted === undefined)
    return warn(
      `the node has no endpoint on "${Name}", so kubelet's probes may not reach its pods; "hostEndpoint": {} in the configuration creates one`,
      { see: `win-hcn show network ${quote(Name)}` },
    );
  if (addresses.includes(wanted)) return pass(`the node has ${wanted} on "${Name}"`);
  const own = attached.find(({ ID }) => ID === hostEndpointId(Name));
  if (own !== undefined)
    return fail(`${actual}, but /hostEndpoint requires ${wanted}: ADD fails`, {
      see: `win-hcn show endpoint ${shortGuid(own.ID)}`,
    });
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint'))
    return unknown('HCN did not return every endpoint');
  return fail(`the node's endpoint ${wanted} on "${Name}" is missing: pods have no gateway`, {
    fix: `win-hcn network ensure ${quote(path)} --yes`,
  });
}

/** Checks that the node forwards traffic between the pods and its adapter, if it is their gateway. */
export const forwarding: Check = {
  name: 'IP forwarding',
  diagnose: (snapshot) => {
    const found = expectedNetwork(snapshot)?.found;
    const inventory = known(snapshot.inventory);
    if (found === undefined)
      return inventory.networks
        .filter(hasManagementAddress)
        .flatMap((network) => gatewaysOn(network, inventory).flatMap(diagnoseForwarding(network, snapshot)));
    return hostEndpointsOn(found, inventory, known(snapshot.adapters))
      .slice(0, 1)
      .flatMap(diagnoseForwarding(found, snapshot));
  },
};

/** The endpoints of this node that are gateways of pods: those of other plugins may be in no namespace. */
function gatewaysOn({ ID }: ObservedNetwork, { endpoints }: Inventory): readonly ObservedEndpoint[] {
  const local = endpoints.filter((one) => one.HostComputeNetwork === ID && !isRemote(one));
  const used = local.map(({ Routes = [] }) => defaultGateway(Routes, 'IPv4'));
  return local.filter((endpoint) => addressesIn(endpoint).some((address) => used.includes(address)));
}

const diagnoseForwarding =
  (network: ObservedNetwork, { adapters, windows }: Snapshot) =>
  (gateway: ObservedEndpoint): readonly Diagnosis[] => {
    const address = addressesIn(gateway).find((one) => familyOf(one) === 'IPv4');
    const own = address === undefined ? undefined : { address, mac: gateway.MacAddress };
    const interfaces = own && forwardingInterfaces(network, own, known(adapters));
    if (interfaces === undefined) return [];
    const needed = [interfaces.host, ...interfaces.management];
    const states = known(windows.forwarding).filter(({ family }) => family === 'IPv4');
    const off = needed.filter(({ index }) => states.some((one) => one.index === index && !one.isEnabled));
    const names = (some: typeof needed) => some.map(({ alias }) => `"${alias}"`).join(' and ');
    if (off.length === 0) return [pass(`on for ${names(needed)}`)];
    const fixes = off.map(
      ({ index }) => `Set-NetIPInterface -InterfaceIndex ${index} -AddressFamily IPv4 -Forwarding Enabled`,
    );
    const seen = `IPv4 forwarding is off on ${names(off)}: pods cannot reach other hosts`;
    return [fail(seen, { fix: fixes.join('; ') })];
  };
