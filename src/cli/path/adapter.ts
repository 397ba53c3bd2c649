import { interfaceName } from './node-state.ts';
import type { Hop } from './path.ts';
import { chooseRoute } from './routes.ts';
import { type Context, leaves, lost, type Position, type Step, unknown } from './step.ts';

/** The physical adapter sends a packet to the next hop of the node's routes. */
export function leaveAdapter(
  { packet, tunnel }: Extract<Position, { at: 'adapter' }>,
  { node }: Context,
): readonly Step[] {
  const destination = tunnel?.destination ?? packet.destination;
  const choice = chooseRoute(node, destination);
  const hop = (did: string, name: string, rule?: string): Hop => ({
    place: 'adapter',
    name,
    did,
    ...(rule !== undefined && { rule }),
    evidence: 'documented',
    packet,
    ...(tunnel !== undefined && { tunnel }),
  });
  if (choice.is === 'none')
    return [lost(hop('drops it', 'none'), `The node has no route to ${destination}.`)];
  if (choice.is === 'several')
    return [unknown(hop('sends it', 'several', choice.text), 'Several routes of the node are equally good.')];
  const { nextHop, text } = choice;
  const { interfaceIndex } = choice.route;
  const name = interfaceName(node, interfaceIndex);
  const frame = { interfaceIndex, nextHop, packet, ...(tunnel !== undefined && { tunnel }) };
  return [leaves(hop(`sends it to next hop ${nextHop}`, name, `route ${text}`), frame)];
}
