import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { endpointName } from '../traffic/path.ts';
import type { CaptureLog, Component, PacketEvent } from './log.ts';

/** How many packets one component saw: of the sender, and replies. */
export interface ObservedHop {
  /** Such as `port of pod shop/web`. */
  readonly where: string;
  /** pktmon's number of the component. It changes when Windows restarts. */
  readonly component: number;
  readonly endpoint?: EndpointId;
  readonly sent: number;
  readonly replies: number;
  readonly drops: readonly ObservedDrop[];
}

/** Packets that a component dropped; the reason is as pktmon printed it. */
interface ObservedDrop {
  readonly packets: number;
  readonly reason: string;
}

/** What names components: HCN's objects, and the node's adapters. */
interface NodeObjects {
  readonly inventory: Inventory;
  readonly adapters: readonly HostAdapter[];
}

/**
 * Counts packets at each component, once per component; the components are in the order in which packets reached them. `senders` are the
 * addresses of the sender, and what they are translated to.
 */
export function observedHops(
  { events, components }: CaptureLog,
  senders: readonly string[],
  node: NodeObjects,
): readonly ObservedHop[] {
  const isSent = ({ sources }: PacketEvent) => sources.some((source) => senders.includes(source));
  const order = [...events.filter(isSent), ...events.filter((event) => !isSent(event)).toReversed()];
  return [...Map.groupBy(order, ({ component }) => component)].map(([component, here]) => {
    const drops = Map.groupBy(
      here.filter(({ drop }) => drop !== undefined),
      ({ drop }) => drop || 'pktmon gives no reason',
    );
    return {
      ...placeOf(component, components, node),
      component,
      sent: countPackets(here.filter(isSent)),
      replies: countPackets(here.filter((event) => !isSent(event))),
      drops: [...drops].map(([reason, some]) => ({ packets: countPackets(some), reason })),
    };
  });
}

function countPackets(events: readonly PacketEvent[]): number {
  return new Set(events.map(({ packet }) => packet)).size;
}

function placeOf(
  id: number,
  components: readonly Component[],
  { inventory, adapters }: NodeObjects,
): Pick<ObservedHop, 'where' | 'endpoint'> {
  const component = components.find((one) => one.id === id);
  if (component === undefined) return { where: `component ${id}` };
  const { name, driver, properties } = component;
  const isPort = driver.toLowerCase() === 'vmswitch.sys';
  const endpoint = endpointOf(component, inventory.endpoints);
  if (endpoint !== undefined)
    return {
      where: `${isPort ? 'port' : 'adapter'} of ${endpointName(endpoint, inventory)}`,
      endpoint: endpoint.ID,
    };
  if (isPort) return { where: `virtual switch ${properties.get('vmswitchname') ?? name}` };
  const adapter = adapters.find(({ index }) => properties.get('ifindex') === String(index));
  return { where: adapter === undefined ? `${name} (${driver})` : `adapter ${adapter.alias}` };
}

/** The endpoint whose name or MAC address a component has. */
function endpointOf(
  { name, properties }: Component,
  endpoints: readonly ObservedEndpoint[],
): ObservedEndpoint | undefined {
  const mac = macDigits(properties.get('physaddress'));
  return endpoints.find(
    (one) => !isRemote(one) && (one.Name === name || (mac !== '' && macDigits(one.MacAddress) === mac)),
  );
}

/** The digits of `0x00155DC5E288` or `00-15-5D-C5-E2-88`. */
function macDigits(text = ''): string {
  return text.replaceAll(/^0x|[-:]/g, '').toUpperCase();
}
