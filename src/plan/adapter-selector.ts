import { invalidConfig } from '../cni/error.ts';
import { families, familyOf, parseAddress } from '../net/address.ts';
import { type HostAdapter, mediaType, switchInAlias } from '../net/host-adapter.ts';
import { parseMac } from '../net/mac.ts';
import { contains, formatPrefix, parsePrefix } from '../net/prefix.ts';

/**
 * Returns the physical adapter that "adapter" selects by alias, index, MAC address, IP address or subnet; undefined selects the adapter
 * with the default route. The adapter of a virtual switch selects the physical adapter below the switch. Throws code 7, with the
 * adapters in its details, unless exactly one selected adapter supports a virtual switch.
 */
export function chooseAdapter(selector: string | undefined, adapters: readonly HostAdapter[]): HostAdapter {
  const selection = select(selector, adapters);
  const [chosen, ...others] = selection.usable;
  if (chosen !== undefined && others.length === 0) return chosen;
  const given = selector === undefined ? 'missing' : JSON.stringify(selector);
  throw invalidConfig(
    `invalid network configuration: /adapter is ${given}${problemWith(selection, selector)}`,
    `network adapters: ${(chosen === undefined ? adapters : selection.usable).map(describe).join('; ')}`,
  );
}

/** Returns the adapter that `chooseAdapter` chooses, or undefined where it throws. */
export function findAdapter(
  selector: string | undefined,
  adapters: readonly HostAdapter[],
): HostAdapter | undefined {
  const { usable } = select(selector, adapters);
  return usable.length === 1 ? usable[0] : undefined;
}

interface Selection {
  readonly selected: readonly HostAdapter[];
  /** The physical adapters that support a virtual switch. */
  readonly usable: readonly HostAdapter[];
}

function select(selector: string | undefined, adapters: readonly HostAdapter[]): Selection {
  const selected =
    selector === undefined
      ? withDefaultRoute(adapters)
      : firstNonEmpty(matchers.map((matches) => adapters.filter((one) => matches(selector, one))));
  const physical = [...new Set(selected.flatMap((adapter) => physicalAdapters(adapter, adapters)))];
  return { selected, usable: physical.filter(({ mediaType }) => !unsupported.has(mediaType)) };
}

/** By alias, index, MAC address, IP address and subnet. The first that matches any adapter decides. */
const matchers: readonly ((selector: string, adapter: HostAdapter) => boolean)[] = [
  (selector, { alias }) => alias.toLowerCase() === selector.toLowerCase(),
  (selector, { index }) => index !== 0 && String(index) === selector,
  (selector, { mac }) => mac !== undefined && mac === parseMac(selector),
  (selector, { addresses }) => addresses.some(({ address }) => address === parseAddress(selector)),
  (selector, { addresses }) => {
    const subnet = parsePrefix(selector);
    return subnet !== undefined && addresses.some(({ address }) => contains(subnet, address));
  },
];

/**
 * The adapters with a default route and the lowest metric; IPv4 routes come before IPv6 routes. Adapters that are up and support a
 * virtual switch are preferred, then all that support one.
 */
function withDefaultRoute(adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  const routed = families.map((family) =>
    adapters.filter(({ gateways }) => gateways.some((gateway) => familyOf(gateway) === family)),
  );
  const isEthernet = (adapter: HostAdapter): boolean =>
    physicalAdapters(adapter, adapters).some((physical) => physical.mediaType === mediaType.ethernet);
  const ethernet = routed.map((list) => list.filter(isEthernet));
  const up = ethernet.map((list) => list.filter(({ isUp }) => isUp));
  const best = firstNonEmpty([...up, ...ethernet, ...routed]);
  const lowest = Math.min(...best.map(({ metric }) => metric));
  return best.filter(({ metric }) => metric === lowest);
}

function firstNonEmpty(lists: readonly (readonly HostAdapter[])[]): readonly HostAdapter[] {
  return lists.find((list) => list.length > 0) ?? [];
}

const virtualDescription = 'Hyper-V Virtual Ethernet Adapter';

function isVirtual({ alias, description }: HostAdapter): boolean {
  return switchInAlias(alias) !== undefined || description.startsWith(virtualDescription);
}

/** A physical adapter itself, or the physical adapters that a virtual switch's adapter can belong to, by MAC address and name. */
function physicalAdapters(adapter: HostAdapter, adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  if (!isVirtual(adapter)) return [adapter];
  const name = switchInAlias(adapter.alias)?.toLowerCase();
  const physical = adapters.filter((other) => !isVirtual(other) && other.mediaType === mediaType.ethernet);
  const sameMac = physical.filter(({ mac }) => mac !== undefined && mac === adapter.mac);
  const sameName = physical.filter(({ alias }) => alias.toLowerCase() === name);
  return firstNonEmpty([sameMac.filter((other) => sameName.includes(other)), sameMac, sameName]);
}

/** The media types that cannot carry a virtual switch: Wi-Fi has only its own MAC address, the others no Ethernet. */
const unsupported: ReadonlySet<number> = new Set([
  mediaType.loopback,
  mediaType.wifi,
  mediaType.ppp,
  mediaType.tunnel,
]);

function problemWith({ selected, usable }: Selection, selector: string | undefined): string {
  const names = (list: readonly HostAdapter[]): string => list.map(({ alias }) => `"${alias}"`).join(', ');
  if (usable.length > 0)
    return ` and several network adapters match: ${names(usable)}. Set it to the alias of one of them`;
  if (selected.length > 0)
    return `, but HNS cannot use adapter ${names(selected)}. Set it to a physical Ethernet adapter`;
  return selector === undefined
    ? ' and no network adapter has a default route. Set it to an adapter'
    : ', expected the alias, index, MAC address, IP address or subnet of a network adapter';
}

function describe({ alias, index, mac, isUp, addresses }: HostAdapter): string {
  const shown = addresses.map(formatPrefix).join(' ') || 'no address';
  return `"${alias}" (index ${index}, ${mac ?? 'no MAC'}, ${isUp ? 'up' : 'down'}, ${shown})`;
}
