import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import type { System } from '../../../src/system.ts';
import type { Call } from '../node.ts';
import type { Bench } from './bench.ts';
import { finishCalls, type Kill, standingAt } from './moments.ts';

/**
 * Runs a command in this process, cuts it off from HCN, the IP Helper and the IPAM plugin at the moment, and lets HNS finish. To the node
 * that is a kill, and no time passes while an HNS hangs.
 */
export async function cutAt(
  { node, clock }: Bench,
  kill: Kill,
  command: string,
  call: Call,
): Promise<readonly string[]> {
  const line = { isCut: false };
  const isOfPlugin = kill.place.of === 'IPAM plugin';
  if (!isOfPlugin)
    void standingAt(node, kill).then(() => {
      line.isCut = true;
    });
  const { stdout } = await node.cni(command, {
    ...call,
    through: (system) => cutOff(isOfPlugin ? withPluginCut(system, kill, line) : system, line),
  });
  await finishCalls(node, kill);
  await clock.idle();
  return line.isCut ? [] : [`was over before: ${stdout}`];
}

interface Line {
  isCut: boolean;
}

/** Returns a system on which nothing takes effect once the line is cut, and no result arrives. */
function cutOff(system: System, line: Line): System {
  const pass = async <T>(make: () => Promise<T>): Promise<T> => {
    if (line.isCut) throw new Error('the process has been killed');
    const response = await make();
    if (line.isCut) throw new Error('the process has been killed');
    return response;
  };
  return {
    ...system,
    loadLibrary: async () => interceptHcnCalls(system.loadLibrary, (_, make) => pass(make)),
    loadIpHelper: async () => {
      const helper = await system.loadIpHelper();
      const known = ([key, work]: [string, (...given: unknown[]) => Promise<unknown>]) =>
        [key, (...given: unknown[]) => pass(() => work(...given))] as const;
      return Object.fromEntries(Object.entries(helper).map(known)) as unknown as typeof helper;
    },
    spawn: (...program) => pass(() => system.spawn(...program)),
  };
}

/** Returns a system whose k-th run of the plugin cuts the line, before or after its work. */
function withPluginCut(system: System, { place, when }: Kill, line: Line): System {
  let runs = 0;
  return {
    ...system,
    spawn: async (...program) => {
      runs += 1;
      const isLast = runs === place.ordinal;
      if (isLast && when === 'before') {
        line.isCut = true;
        return { exitCode: null, stdout: '' };
      }
      const exit = await system.spawn(...program);
      if (isLast) line.isCut = true;
      return exit;
    },
  };
}
