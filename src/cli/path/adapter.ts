import type { Hop } from './path.ts';
import { chooseRoute } from './routes.ts';
import { type Context, leaves, lost, type Position, type Step, unknown } from './step.ts';

/** The physical adapter sends a packet to the next hop of the node's routes. */
export function leaveAdapter(
  { packet, tunnel, nextHop: given }: Extract<Position, { at: 'adapter' }>,
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
  switch (choice.is) {
    case 'none':
      return [lost(hop('drops it', 'none'), `The node has no route to ${destination}.`)];
    case 'several':
      return [
        unknown(hop('sends it', 'several', choice.text), 'Several routes of the node are equally good.'),
      ];
    case 'one':
      break;
  }
  const nextHop = given ?? choice.nextHop;
  const { interfaceIndex } = choice.route;
  const name =
    node.adapters.find(({ index }) => index === interfaceIndex)?.alias ?? `interface ${interfaceIndex}`;
  const frame = { interfaceIndex, nextHop, packet, ...(tunnel !== undefined && { tunnel }) };
  return [leaves(hop(`sends it to next hop ${nextHop}`, name, `route ${choice.text}`), frame)];
}
