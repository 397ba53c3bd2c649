import type { ObservedNetwork } from '../../hcn/documents.ts';
import { forwardInBridge } from './bridge.ts';
import { forwardInNat } from './nat-network.ts';
import { forwardInOverlay } from './overlay.ts';
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
  const rules = forwards[position.network.Type.toLowerCase()];
  return rules === undefined ? [unsupported(position.network, position)] : rules(position, context);
}

function unsupported(network: ObservedNetwork, { packet }: AtSwitch): Step {
  const hop = switchHop(network, { did: 'forwards it', evidence: 'inferred', packet });
  return unknown(hop, `How networks of type ${network.Type} forward is not documented.`);
}
