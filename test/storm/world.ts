import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exit } from '../../src/system/spawn-program.ts';
import { type System, system } from '../../src/system.ts';
import { hastyClock } from '../e2e/clock.ts';
import { startIpamProgram } from '../e2e/ipam-program.ts';
import { addForeignNetwork } from '../e2e/matrix/other-programs.ts';
import { rows } from '../e2e/matrix/rows.ts';
import { type Node, startNode } from '../e2e/node.ts';
import type { Hns } from '../simulator/hns.ts';
import { newest, profileNames } from '../simulator/profiles.ts';
import { adapters, chooseNetworks, type StormNetwork } from './networks.ts';
import type { Random } from './random.ts';
import { type StormIpam, stormIpam } from './storm-ipam.ts';

/** How much faster time passes for win-hcn in this process, as if every limit were shorter by this factor. */
export const haste = 10;

/** A simulated node in a storm. */
export interface World {
  readonly node: Node;
  readonly hns: Hns;
  readonly ipam: StormIpam;
  readonly networks: readonly StormNetwork[];
  /** The profile and variants of HNS in one line. */
  readonly service: string;
  /** HNS chooses all ids. After a kill, the next command cannot find a load balancer, which has no name. */
  readonly choosesIds: boolean;
  /** HNS refuses a new network while it creates another one. The runtime tries again. */
  readonly refusesCrowds: boolean;
  /** HNS leaves a new network out of its first lists, so an operator looks again. */
  readonly listsLate: boolean;
  /** A folder for files. */
  readonly folder: string;
  readonly logFile: string;
  /** The folder for temporary files of processes. */
  readonly temporary: string;
  /** The folder of IPAM plugins for processes. */
  readonly cniPath: string;
  /** The outside world of win-hcn in this process. */
  readonly outside: Partial<System>;
  /** The leases of all networks as text. */
  leases(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export async function startWorld(random: Random): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-storm-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const profile = random.pick([newest, newest, ...profileNames]);
  const networks = chooseNetworks(random, { hasDualStack: profile !== 'ws2019' });
  const row = random.chance(0.5) ? random.pickIfAny(rows) : undefined;
  const switches = { ...row?.switches, ...(row?.switches.callerIds === 'ignored' && distinct) };
  const node = await startNode({ profile, adapters, switches }, () => hastyClock(haste));
  const ipam = stormIpam(networks);
  const program = startIpamProgram(
    { ...ipam, run: (...given) => asProgram(ipam.run(...given)) },
    'host-local',
  );
  await addForeignNetwork(node);

  const { hns } = node;
  const outside: Partial<System> = {
    ...node.outside,
    isFile: (path) => path === '/opt/cni/bin/host-local' || system.isFile(path),
    spawn: async (_path, environment, stdin) => ipam.run(environment, stdin),
  };
  return {
    node: { ...node, ipam },
    hns,
    ipam,
    networks,
    service: `${profile}${row === undefined ? '' : `, ${row.name}`}`,
    choosesIds: row?.switches.callerIds === 'ignored',
    refusesCrowds: row?.switches.concurrentNetworks === 'some refused',
    listsLate: switches.networkListing === 'late',
    folder,
    logFile: join(folder, 'logs', 'win-hcn.log'),
    temporary,
    cniPath: program.folder,
    outside,
    leases: () => ipam.leases,
    stop: async () => {
      program.stop();
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The exit code of a shell whose program was killed. */
function asProgram(exit: Exit): Exit {
  return { ...exit, exitCode: exit.exitCode ?? 137 };
}

/**
 * Where HNS chooses ids, win-hcn finds a network by its name. If HNS accepts two of one name, two ADDs at once may create both; if it
 * lists a new one late, a CHECK may not find it. Nothing can prevent that.
 */
const distinct = { duplicateNetworkName: 'refused', networkListing: 'at once' } as const;
