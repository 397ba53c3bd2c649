import type { Inventory } from '../../model/inventory.ts';
import { readAdapters, readInventory, readRoutes } from '../inventory/read-inventory.ts';
import type { NodeState } from '../path/node-state.ts';
import { type Fact, factFrom } from '../terminal/fact.ts';
import { forwardingState } from '../terminal/forwarding-state.ts';
import { runQuery } from '../terminal/powershell-query.ts';
import type { Session } from '../terminal/session.ts';

/** A node's state, and what is missing in it. */
export interface ReadNode {
  readonly node: NodeState;
  /** What Windows did not return, with the reason. The lists of the node are empty then. */
  readonly unread: readonly Unread[];
}

export interface Unread {
  readonly part: Part;
  readonly error: string;
}

/** The parts that HCN does not have. */
export type Part = 'network adapters' | 'routes' | 'IP forwarding';

/** Reads what the node's data path depends on, once. Throws what `readInventory` throws. */
export async function readNodeState(session: Session): Promise<ReadNode> {
  const inventory = await readInventory(session);
  const [adapters, routes, forwarding] = await Promise.all([
    factFrom(readAdapters(session.system)),
    factFrom(readRoutes(session.system)),
    runQuery(session.terminal, forwardingState),
  ]);
  return nodeFrom(inventory, {
    'network adapters': adapters,
    routes,
    'IP forwarding': forwarding,
  });
}

/** The facts about a node that `NodeState` has, by part. */
interface PartFacts {
  readonly 'network adapters': Fact<NodeState['adapters']>;
  readonly routes: Fact<NodeState['routes']>;
  readonly 'IP forwarding': Fact<NodeState['forwarding']>;
}

function nodeFrom(inventory: Inventory, facts: PartFacts): ReadNode {
  const parts: readonly Part[] = ['network adapters', 'routes', 'IP forwarding'];
  return {
    node: {
      inventory,
      adapters: listOf(facts['network adapters']),
      routes: listOf(facts.routes),
      forwarding: listOf(facts['IP forwarding']),
    },
    unread: parts.flatMap((part) => {
      const fact = facts[part];
      return 'error' in fact ? [{ part, error: fact.error }] : [];
    }),
  };
}

function listOf<T>(fact: Fact<readonly T[]>): readonly T[] {
  return 'value' in fact ? fact.value : [];
}
