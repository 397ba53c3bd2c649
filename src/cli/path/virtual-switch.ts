import type { ObservedNetwork } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { forwardInBridge } from './bridge.ts';
import { forwardInNat } from './nat-network.ts';
import { adapterWith } from './node-state.ts';
import { forwardInOverlay } from './overlay.ts';
import { changesSource, findReversed, replyTo } from './packet.ts';
import { type Context, type Position, type Step, switchHop, unknown } from './step.ts';

export type AtSwitch = Extract<Position, { at: 'virtual switch' }>;

type Forward = (position: AtSwitch, context: Context) => readonly Step[];

/** By network type in lower case. */
const forwards: Readonly<Record<string, Forward>> = {
  overlay: forwardInOverlay,
  l2bridge: forwardInBridge,
  l2tunnel: forwardInBridge,
  transparent: forwardInBridge,
  nat: forwardInNat,
  ics: forwardInNat,
};

/** The virtual switch of a network forwards a packet, by the rules of the network's type. */
export function forward(position: AtSwitch, context: Context): readonly Step[] {
  const reply = returnReply(position, context);
  if (reply !== undefined) return [reply];
  const rules = forwards[position.network.Type.toLowerCase()];
  return rules === undefined ? [unsupported(position.network, position)] : rules(position, context);
}

/** A reply to an address that only a translation uses, such as a source VIP, goes back to the port that translated. */
function returnReply({ network, packet }: AtSwitch, { node, state }: Context): Step | undefined {
  const translation = findReversed(state.translations, packet, changesSource);
  const endpoint = findById(node.inventory.endpoints, translation?.endpoint);
  if (translation === undefined || adapterWith(node, packet.destination) !== undefined) return undefined;
  const after = endpoint === undefined ? replyTo(translation.before) : packet;
  const hop = switchHop(network, {
    did: `returns the reply, which ${translation.by} has translated`,
    evidence: 'source',
    packet: after,
  });
  return {
    hops: [hop],
    to: endpoint === undefined ? { at: 'adapter', packet: after } : { at: 'port in', endpoint, packet },
  };
}

function unsupported(network: ObservedNetwork, { packet }: AtSwitch): Step {
  const hop = switchHop(network, { did: 'forwards it', evidence: 'inferred', packet });
  return unknown(hop, `How networks of type ${network.Type} forward is not documented.`);
}
