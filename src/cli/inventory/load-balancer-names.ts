import type { LoadBalancerId } from '../../hcn/guid.ts';
import { isObject } from '../../json/members.ts';
import { newLog } from '../../log/log.ts';
import { loadBalancerId } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isOwnLoadBalancer } from '../../model/ownership.ts';
import type { System } from '../../system.ts';
import { findLogs } from '../conflist/files.ts';
import type { Session } from '../terminal/session.ts';

/** Records the name of a load balancer in the log, where `newLoadBalancerNamer` finds it. Nothing else depends on the record. */
export function logLoadBalancerName(name: string, system: System): void {
  if (system.logFile === '') return;
  const { write, release } = newLog(system.newRequestId(), system.clock);
  write({ event: 'load balancer', name, id: loadBalancerId(name) });
  release(system.openLog(system.logFile));
}

/** The most bytes that are read of a log file, which is rotated at 10 MiB. */
const maximumBytes = 16 * 1024 * 1024;

/**
 * Returns a function that adds the names of win-hcn's load balancers to an inventory. HCN has none, but their ids are derived from them:
 * a name in the log counts only if it gives the id. For repeated reads, the function searches the log once for a load balancer.
 */
export function newLoadBalancerNamer({
  system,
  terminal,
}: Pick<Session, 'system' | 'terminal'>): (inventory: Inventory) => Inventory {
  const names = new Map<LoadBalancerId, string>();
  const searched = new Set<LoadBalancerId>();
  return (inventory) => {
    const own = inventory.loadBalancers.map(({ ID }) => ID).filter(isOwnLoadBalancer);
    const unknown = own.filter((id) => !names.has(id) && !searched.has(id));
    for (const [id, name] of findNames(unknown, { system, terminal })) names.set(id, name);
    for (const id of unknown) searched.add(id);
    return names.size === 0 ? inventory : { ...inventory, loadBalancerNames: names };
  };
}

/** Reads the logs, the newest first, until all names are known. */
function findNames(
  ids: readonly LoadBalancerId[],
  { system: { logFile }, terminal }: Pick<Session, 'system' | 'terminal'>,
): ReadonlyMap<LoadBalancerId, string> {
  const found = new Map<LoadBalancerId, string>();
  if (logFile === '' || ids.length === 0) return found;
  for (const path of logsNewestFirst(logFile, terminal)) {
    const file = terminal.readEnd(path, maximumBytes);
    for (const name of file === undefined ? [] : loggedNames(new TextDecoder().decode(file.bytes))) {
      const id = loadBalancerId(name);
      if (ids.includes(id)) found.set(id, name);
    }
    if (found.size === ids.length) break;
  }
  return found;
}

/** The current log, then the rotated files, whose names sort by time. */
function logsNewestFirst(path: string, terminal: Session['terminal']): readonly string[] {
  try {
    return findLogs(path, terminal).toReversed();
  } catch {
    return [];
  }
}

/** The names of load balancers in a log. Skips lines that are not log entries. */
function loggedNames(log: string): ReadonlySet<string> {
  const lines = log.split('\n').filter((line) => line.includes('"event":"load balancer"'));
  return new Set(lines.flatMap(readName));
}

function readName(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) && typeof entry['name'] === 'string' ? [entry['name']] : [];
  } catch {
    return [];
  }
}
