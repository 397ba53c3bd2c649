import type { Fault } from './fault.ts';
import { faultsInHcn } from './faults-in-hcn.ts';
import { faultsOnWindows } from './faults-on-windows.ts';
import { type FaultyNode, startHealthyNode } from './faulty-node.ts';

export type FaultName = keyof typeof faultsInHcn | keyof typeof faultsOnWindows;

/** Twenty faults that a node has at night. */
export const faults: Readonly<Record<FaultName, Fault>> = { ...faultsOnWindows, ...faultsInHcn };

export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Starts a node with faults. */
export async function startFaultyNode(names: readonly FaultName[]): Promise<FaultyNode> {
  const node = await startHealthyNode();
  for (const name of names) await faults[name].plant(node);
  return node;
}
