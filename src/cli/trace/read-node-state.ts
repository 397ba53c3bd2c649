import { readAdapters, readInventory, readRoutes } from '../inventory/read-inventory.ts';
import { forwardingState } from '../terminal/node-queries.ts';
import { type Fact, factFrom, runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import type { NodeState } from '../traffic/node-state.ts';

/** A node's state, and what is missing in it. */
export interface ReadNode {
  readonly node: NodeState;
  /** What Windows did not return, with the reason. The lists of the node are empty then. */
  readonly unread: readonly Unread[];
}

/** A part of a node that HCN does not have, and that Windows did not return. */
export interface Unread {
  readonly part: 'network adapters' | 'routes' | 'IP forwarding';
  readonly error: string;
}

/** Reads what the node's data path depends on, once. Throws what `readInventory` throws. */
export async function readNodeState(session: Session): Promise<ReadNode> {
  const inventory = await readInventory(session);
  const [adapters, routes, forwarding] = await Promise.all([
    factFrom(readAdapters(session.system)),
    factFrom(readRoutes(session.system)),
    runQuery(session.terminal, forwardingState),
  ]);
  const unread = (part: Unread['part'], fact: Fact<unknown>) =>
    'error' in fact ? [{ part, error: fact.error }] : [];
  return {
    node: { inventory, adapters: listOf(adapters), routes: listOf(routes), forwarding: listOf(forwarding) },
    unread: [
      ...unread('network adapters', adapters),
      ...unread('routes', routes),
      ...unread('IP forwarding', forwarding),
    ],
  };
}

function listOf<T>(fact: Fact<readonly T[]>): readonly T[] {
  return 'value' in fact ? fact.value : [];
}
