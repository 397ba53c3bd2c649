// The simulated nodes of a benchmark, one for each scene.

import { type Node, startNode } from '../e2e/node.ts';
import { loopbackAdapter } from '../windows/loopback-adapter.ts';
import type { Row, Scene } from './rows.ts';

/** Running nodes. */
export interface Nodes {
  /** Returns the node of a scene, which later calls of this process reach. */
  use(scene: Scene): Node;
  stop(): Promise<void>;
}

/** Starts and prepares a node for each scene of the rows. */
export async function startNodes(rows: readonly Row[]): Promise<Nodes> {
  const nodes = new Map<Scene, Node>();
  for (const scene of new Set(rows.map((row) => row.scene))) {
    const node = await startNode({ adapters: [loopbackAdapter] });
    await scene.prepare(node);
    nodes.set(scene, node);
  }
  return {
    use: (scene) => {
      const node = nodes.get(scene);
      if (node === undefined) throw new Error('a row has a scene that was not started');
      process.env['WIN_HCN_SIMULATED_HNS'] = node.hns.address;
      return node;
    },
    stop: async () => {
      await Promise.all([...nodes.values()].map((node) => node.stop()));
    },
  };
}
