import { setImmediate as turn } from 'node:timers/promises';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import type { System } from '../../../src/system.ts';
import { cleanUp, type Findings, findings } from './aftermath.ts';
import { newBench } from './bench.ts';
import { ofNetwork } from './found.ts';
import { isChange, othersChanged } from './kill.ts';
import type { Report } from './matrix.ts';
import { type Place, placesOf } from './places.ts';
import { request } from './request.ts';
import type { Next, Scenario } from './scenario.ts';
import { snapshot } from './snapshot.ts';

/**
 * Runs a scenario in this process, and cuts it off from HCN, the IP Helper and the IPAM plugin after each change of HNS. To the node that
 * is a kill, and no time passes while an HNS hangs.
 */
export async function runCuts(scenario: Scenario, next: Next): Promise<Report> {
  const places = (await placesOf(scenario)).filter((place) => place.of === 'HCN' && isChange(place));
  const bench = await newBench(scenario);
  const { node, clock } = bench;
  const all: Findings[] = [];
  for (const place of places) {
    const prevResult = (await scenario.attach?.(bench))?.json;
    const before = snapshot(node);
    const call = request(bench, scenario.command, prevResult);
    const reached = { last: false };
    await node.cni(scenario.command, { ...call, through: (system) => cutAfter(place, system, reached) });
    // Calls that a variant makes hang.
    for (const _ of [1, 2]) {
      node.hns.release();
      await turn();
    }
    await clock.idle();
    const found = {
      leaks: othersChanged(bench, scenario, before),
      surprises: reached.last ? [] : ['was over before'],
    };
    const { leaks, surprises } = findings(
      found,
      await cleanUp(bench, scenario, { next, mayStay: ofNetwork(scenario) }),
    );
    const prefixed = (line: string): string =>
      `${scenario.name}, cut off after ${place.ordinal}: ${place.name}, then ${next}: ${line}`;
    all.push({ leaks: leaks.map(prefixed), surprises: surprises.map(prefixed) });
    if (leaks.length + surprises.length > 0) break;
  }
  await node.stop();
  return { cells: all.length, ...findings(...all) };
}

/** Returns a system on which nothing takes effect after the call at a place, the result of which is lost. */
function cutAfter({ name, nth }: Place, system: System, reached: { last: boolean }): System {
  let met = 0;
  const refuse = () => {
    if (reached.last) throw new Error('the process has been killed');
  };
  return {
    ...system,
    loadLibrary: async () =>
      interceptHcnCalls(system.loadLibrary, async (call, make) => {
        refuse();
        if (call.name === name) met += 1;
        reached.last = call.name === name && met === nth;
        const response = await make();
        refuse();
        return response;
      }),
    loadIpHelper: async () => {
      const helper = await system.loadIpHelper();
      const known = ([key, work]: [string, (...given: unknown[]) => Promise<unknown>]) =>
        [
          key,
          async (...given: unknown[]) => {
            refuse();
            return work(...given);
          },
        ] as const;
      return Object.fromEntries(Object.entries(helper).map(known)) as unknown as typeof helper;
    },
    spawn: async (...program) => {
      refuse();
      return system.spawn(...program);
    },
  };
}
