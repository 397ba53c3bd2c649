import { shuffled } from '../../mutants/shuffled.ts';
import type { Fault } from './fault.ts';
import { faultsInHcn } from './faults-in-hcn.ts';
import { faultsOnWindows } from './faults-on-windows.ts';
import { type FaultyNode, startHealthyNode } from './faulty-node.ts';

export type FaultName = keyof typeof faultsInHcn | keyof typeof faultsOnWindows;

/** Twenty faults that a node has at night. */
export const faults: Readonly<Record<FaultName, Fault>> = { ...faultsOnWindows, ...faultsInHcn };

export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Chooses `count` faults by a seed, none of which hides another. */
export function chooseFaults(seed: number, count = 6): readonly FaultName[] {
  const chosen: FaultName[] = [];
  for (const name of shuffled(faultNames, seed))
    if (chosen.length < count && chosen.every((other) => !hide(name, other))) chosen.push(name);
  // Objects of HCN first: faults of the service prevent their creation.
  return faultNames.toReversed().filter((name) => chosen.includes(name));
}

function hide(one: FaultName, other: FaultName): boolean {
  return (faults[one].hides ?? []).includes(other) || (faults[other].hides ?? []).includes(one);
}

/** Starts a node with faults. */
export async function startFaultyNode(names: readonly FaultName[]): Promise<FaultyNode> {
  const node = await startHealthyNode();
  for (const name of names) await faults[name].plant(node);
  return node;
}
