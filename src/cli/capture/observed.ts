import type { Inventory } from '../../model/inventory.ts';
import { isRemote } from '../../model/ownership.ts';
import { endpointName } from '../traffic/path.ts';
import type { CaptureLog, PacketEvent } from './log.ts';

/**
 * Counts at each component the packets of the sender, the replies, and what it dropped, each packet once. The components are in the order
 * in which packets reached them. `senders` are the addresses of the sender, and what they are translated to.
 */
export function observedHops(log: CaptureLog, senders: readonly string[], inventory: Inventory) {
  const isSent = ({ sources }: PacketEvent) => sources.some((source) => senders.includes(source));
  const { events } = log;
  const order = [...events.filter(isSent), ...events.filter((event) => !isSent(event)).toReversed()];
  return [...Map.groupBy(order, ({ component }) => component)].map(([component, here]) => {
    const drops = Map.groupBy(
      here.filter(({ drop }) => drop !== undefined),
      ({ drop }) => drop || 'pktmon gives no reason',
    );
    return {
      where: placeOf(component, log, inventory),
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

function placeOf(id: number, { components }: CaptureLog, inventory: Inventory): string {
  const component = components.get(id);
  if (component === undefined) return `component ${id}`;
  const { name, driver, mac } = component;
  const endpoint = inventory.endpoints.find(
    (one) => !isRemote(one) && (one.Name === name || (mac !== undefined && one.MacAddress === mac)),
  );
  if (endpoint === undefined) return `${name} (${driver})`;
  const part = driver.toLowerCase() === 'vmswitch.sys' ? 'port' : 'adapter';
  return `${part} of ${endpointName(endpoint, inventory)}`;
}
