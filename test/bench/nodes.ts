// The simulated nodes of a benchmark.

import { type Node, startNode } from '../e2e/node.ts';
import { loopbackAdapter } from '../windows/loopback-adapter.ts';
import { createNetworks, crowd } from './rows.ts';

export interface Nodes {
  readonly quiet: Node;
  /** With 2,000 endpoints on the network. */
  readonly crowded: Node;
  stop(): Promise<void>;
}

export async function startNodes(): Promise<Nodes> {
  const crowded = await startNode({ adapters: [loopbackAdapter] });
  await crowd(crowded);
  // Calls of this process go to the node that was started last, which is the one that rows change.
  const quiet = await startNode({ adapters: [loopbackAdapter] });
  await createNetworks(quiet);
  return {
    quiet,
    crowded,
    stop: async () => {
      await quiet.stop();
      await crowded.stop();
    },
  };
}
