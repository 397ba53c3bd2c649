import { CniError, code } from '../cni/error.ts';
import { families, familyOf, parseAddress } from '../net/address.ts';
import { type HostAdapter, mediaType } from '../net/host-adapter.ts';
import { parseMac } from '../net/mac.ts';
import { contains, formatPrefix, parsePrefix } from '../net/prefix.ts';

/**
 * The physical adapter that "adapter" means: an alias, an index, a MAC address, an address or a subnet; undefined means the
 * one with the default route. An adapter of a virtual switch stands for the physical one under the switch.
 * Throws code 7, with the adapters there are in its details, unless it is exactly one that a virtual switch can be on.
 */
export function chooseAdapter(selector: string | undefined, adapters: readonly HostAdapter[]): HostAdapter {
  const found =
    selector === undefined ? withDefaultRoute(adapters) : adapters.filter(selects(selector, adapters));
  const physical = [...new Set(found.flatMap((adapter) => underneath(adapter, adapters)))];
  const usable = physical.filter((adapter) => obstacle(adapter) === undefined);
  const [chosen, ...others] = usable;
  if (chosen !== undefined && others.length === 0) return chosen;
  const what = selector === undefined ? 'is missing' : `is ${JSON.stringify(selector)}`;
  throw new CniError(
    code.invalidConfig,
    `invalid network configuration: /adapter ${what}, ${complaint(selector, found, physical, usable)}`,
    { details: describeAdapters(chosen === undefined ? adapters : usable) },
  );
}

/** A selector means the first of its readings that any adapter answers to. */
function selects(selector: string, adapters: readonly HostAdapter[]): (adapter: HostAdapter) => boolean {
  const readings = [byAlias, byIndex, byMac, byAddress, bySubnet].map((reading) => reading(selector));
  return readings.find((matches) => adapters.some(matches)) ?? (() => false);
}

type Reading = (selector: string) => (adapter: HostAdapter) => boolean;

const byAlias: Reading = (selector) => {
  const wanted = selector.toLowerCase();
  return ({ alias }) => alias.toLowerCase() === wanted;
};

const byIndex: Reading = (selector) => {
  const wanted = /^[1-9]\d{0,9}$/.test(selector) ? Number(selector) : undefined;
  return ({ index }) => index === wanted;
};

const byMac: Reading = (selector) => {
  const wanted = parseMac(selector);
  return ({ mac }) => mac !== undefined && mac === wanted;
};

const byAddress: Reading = (selector) => {
  const wanted = parseAddress(selector);
  return ({ addresses }) => addresses.some(({ address }) => address === wanted);
};

const bySubnet: Reading = (selector) => {
  const wanted = parsePrefix(selector);
  return ({ addresses }) =>
    wanted !== undefined && addresses.some(({ address }) => contains(wanted, address));
};

/** Those with the lowest metric, IPv4's first; one that is up and that a virtual switch can be on, where any such has a default route. */
function withDefaultRoute(adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  const routed = families.map((family) =>
    adapters.filter(({ gateways }) => gateways.some((gateway) => familyOf(gateway) === family)),
  );
  const isEthernet = (adapter: HostAdapter): boolean =>
    underneath(adapter, adapters).some((physical) => physical.mediaType === mediaType.ethernet);
  const ethernet = routed.map((some) => some.filter(isEthernet));
  const up = ethernet.map((some) => some.filter(({ isUp }) => isUp));
  const best = [...up, ...ethernet, ...routed].find((some) => some.length > 0) ?? [];
  const lowest = Math.min(...best.map(({ metric }) => metric));
  return best.filter(({ metric }) => metric === lowest);
}

/** The adapter of a virtual switch on the host: `vEthernet (Ethernet)` by default, or with a number when that is taken. */
const virtualAlias = /^vEthernet \((.*)\)(?: \d+)?$/i;
const virtualDescription = /^Hyper-V Virtual Ethernet Adapter\b/;

function isVirtual({ alias, description }: HostAdapter): boolean {
  return virtualAlias.test(alias) || virtualDescription.test(description);
}

/** The physical adapters a virtual switch may be on, by MAC address and name; a physical one is its own. */
function underneath(adapter: HostAdapter, adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  if (!isVirtual(adapter)) return [adapter];
  const name = virtualAlias.exec(adapter.alias)?.[1]?.toLowerCase();
  const physical = adapters.filter((other) => !isVirtual(other) && other.mediaType === mediaType.ethernet);
  const alike = physical.filter(({ mac }) => mac !== undefined && mac === adapter.mac);
  const named = physical.filter(({ alias }) => alias.toLowerCase() === name);
  const both = alike.filter((other) => named.includes(other));
  return [both, alike, named].find((some) => some.length > 0) ?? [];
}

/** Why no virtual switch can be on an adapter. */
function obstacle(adapter: HostAdapter): string | undefined {
  return obstacles.get(adapter.mediaType);
}

const obstacles: ReadonlyMap<number, string> = new Map([
  [mediaType.loopback, 'the loopback, which leads nowhere'],
  [mediaType.wifi, 'Wi-Fi, which carries no MAC addresses but its own'],
  [mediaType.ppp, 'a dial-up or VPN connection, which carries no Ethernet'],
  [mediaType.tunnel, 'a tunnel, which carries no Ethernet'],
]);

function complaint(
  selector: string | undefined,
  found: readonly HostAdapter[],
  physical: readonly HostAdapter[],
  usable: readonly HostAdapter[],
): string {
  const [refused] = physical;
  const names = (some: readonly HostAdapter[]): string => some.map(({ alias }) => `"${alias}"`).join(', ');
  if (usable.length > 1) {
    const have = selector === undefined ? 'have a default route' : 'are meant by that';
    return `and several network adapters ${have}: ${names(usable)}. Name one by its alias`;
  }
  if (refused !== undefined)
    return `and the adapter ${names([refused])} is ${obstacle(refused)}: choose one for Ethernet`;
  if (found.length > 0)
    return `and under the virtual switch of ${names(found)} is no adapter for Ethernet: choose a physical one`;
  return selector === undefined
    ? 'and no network adapter has a default route: name one'
    : 'expected the alias, index, MAC address, address or subnet of a network adapter';
}

/** The adapters there are to choose from. */
export function describeAdapters(adapters: readonly HostAdapter[]): string {
  return `network adapters: ${adapters.map(describe).join('; ')}`;
}

function describe({ alias, index, mac, isUp, addresses }: HostAdapter): string {
  const shown = addresses.map(formatPrefix).join(' ') || 'no address';
  return `"${alias}" (index ${index}, ${mac ?? 'no MAC'}, ${isUp ? 'up' : 'down'}, ${shown})`;
}
