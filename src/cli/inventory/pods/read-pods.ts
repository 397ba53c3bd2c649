import type { Inventory, KnownPod } from '../../../model/inventory.ts';
import { commonConfDir, confNames, findLogs, logFilesIn } from '../../conflist/files.ts';
import { defaultFolders } from '../../containerd/config.ts';
import type { Session } from '../../terminal/session.ts';
import { joinPath, uniquePaths } from '../../terminal/windows-path.ts';
import { cachedPods, orNone } from './cached-pods.ts';
import { uniqueContainers } from './container-ids.ts';
import { loggedPods } from './logged-pods.ts';
import type { PodRecord } from './pod-name.ts';

/** The most bytes that are read of a log file, which is rotated at 10 MiB, of all log files, and of a configuration. */
const maximumBytes = { log: 16 * 1024 * 1024, logs: 64 * 1024 * 1024, configuration: 1024 * 1024 } as const;

type Logs = 'with rotated' | 'current';

type Surroundings = Pick<Session, 'system' | 'terminal'>;

/**
 * Returns a function that adds the pods to an inventory. The runtime's record of an attachment decides; the log of win-hcn has the pods
 * of other containers. For commands that read HCN repeatedly, the function remembers pods, and searches the log once for a container.
 * `logs` limits the search to current logs, for commands that must be quick.
 */
export function newPodReader(
  given: Surroundings,
  logs: Logs = 'with rotated',
): (inventory: Inventory) => Inventory {
  const pods = new Map<string, KnownPod>();
  const searched = new Set<string>();
  const keep = (records: Iterable<PodRecord>) => {
    for (const { container, name, added } of records) pods.set(container, { name, added });
  };
  return (inventory) => {
    const containers = new Set(uniqueContainers(inventory).map((id) => id.toLowerCase()));
    const isUnknown = (id: string) => !pods.has(id);
    keep(newest(cachedPods([...containers].filter(isUnknown), given)).values());
    const unlogged = [...containers].filter((id) => isUnknown(id) && !searched.has(id));
    keep(findLoggedPods(new Set(unlogged), logs, given));
    for (const id of unlogged) searched.add(id);
    return { ...inventory, pods };
  };
}

/** Reads the logs, the newest first, until the pods of all containers are known. */
function findLoggedPods(
  containers: ReadonlySet<string>,
  logs: Logs,
  given: Surroundings,
): readonly PodRecord[] {
  const found = new Map<string, PodRecord>();
  if (containers.size === 0) return [];
  let left: number = maximumBytes.logs;
  for (const path of logPaths(logs, given)) {
    if (found.size === containers.size || left === 0) break;
    const file = given.terminal.readEnd(path, Math.min(maximumBytes.log, left));
    if (file === undefined) continue;
    left -= file.bytes.length;
    const records = loggedPods(new TextDecoder().decode(file.bytes));
    for (const record of newest(records).values())
      if (containers.has(record.container) && !found.has(record.container))
        found.set(record.container, record);
  }
  return [...found.values()];
}

/** The logs at the default path and those that configurations in the usual folders name, each before its rotated files. */
function logPaths(logs: Logs, { system, terminal }: Surroundings): readonly string[] {
  const configured = [defaultFolders.confDir, commonConfDir].flatMap((folder) =>
    confNames(orNone(() => terminal.listFolder(folder))).flatMap((name) => {
      const file = terminal.readEnd(joinPath(folder, name), maximumBytes.configuration);
      return file === undefined ? [] : orNone(() => logFilesIn(file.bytes, system.executable));
    }),
  );
  const current = uniquePaths([system.logFile, ...configured]).filter((path) => path !== '');
  if (logs === 'current') return current;
  return current.flatMap((path) => orNone(() => newestFirst(findLogs(path, terminal), path)));
}

/** The current log, then the rotated files: the time in their names sorts them. */
function newestFirst(paths: readonly string[], current: string): readonly string[] {
  const rotated = paths.filter((path) => path !== current);
  return [...paths.filter((path) => path === current), ...rotated.toSorted().toReversed()];
}

/** The newest record of each container; of equally new ones the last. */
function newest(records: readonly PodRecord[]): ReadonlyMap<string, PodRecord> {
  const found = new Map<string, PodRecord>();
  for (const record of records) {
    const other = found.get(record.container);
    if (other === undefined || other.added <= record.added) found.set(record.container, record);
  }
  return found;
}
