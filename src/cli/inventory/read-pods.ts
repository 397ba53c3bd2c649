import { isName } from '../../cni/request.ts';
import { type JsonObject, parseObject } from '../../json/members.ts';
import type { Inventory, KnownPod } from '../../model/inventory.ts';
import { commonConfDir, confNames, findLogs, logFilesIn } from '../conflist/files.ts';
import { defaultFolders } from '../containerd/config.ts';
import type { Session } from '../terminal/session.ts';
import { joinPath, uniquePaths } from '../terminal/windows-path.ts';
import { uniqueContainers } from './pods.ts';

/** A pod in a record of an ADD. */
interface PodRecord extends KnownPod {
  /** The ID of the pod's sandbox container, in lower case. */
  readonly container: string;
}

/**
 * The most bytes that are read of a file of libcni, which holds one configuration and one result, of a configuration, of a log file,
 * which is rotated at 10 MiB, and of all log files.
 */
const maximumBytes = { cached: 2 ** 20, configuration: 2 ** 20, log: 2 ** 24, logs: 2 ** 26 } as const;
/** Longer lines are not those of requests, and take seconds to parse. */
const longestLine = 64 * 1024;
/** The longest namespace (a DNS label) and name (a DNS subdomain) of Kubernetes. */
const longestName = { namespace: 63, name: 253 } as const;

type NodeFiles = Pick<Session, 'system' | 'terminal'>;

/**
 * Returns a function that adds the pods to an inventory, whose names HCN does not store. The runtime's record of an attachment decides;
 * the log of win-hcn has the pods of other containers. For commands that read HCN repeatedly, the function remembers pods, and searches
 * the log once for a container.
 */
export function newPodReader(files: NodeFiles): (inventory: Inventory) => Inventory {
  const pods = new Map<string, KnownPod>();
  const searched = new Set<string>();
  const keep = ({ container, name, added }: PodRecord) => {
    if ((pods.get(container)?.added ?? '') <= added) pods.set(container, { name, added });
  };
  return (inventory) => {
    const unknown = uniqueContainers(inventory)
      .map((id) => id.toLowerCase())
      .filter((id) => !pods.has(id));
    cachedPods(unknown, files).forEach(keep);
    const wanted = new Set(unknown.filter((id) => !pods.has(id) && !searched.has(id)));
    let left: number = maximumBytes.logs;
    for (const path of wanted.size === 0 ? [] : logPaths(files)) {
      if (left === 0 || [...wanted].every((id) => pods.has(id))) break;
      const file = files.terminal.readEnd(path, Math.min(maximumBytes.log, left));
      if (file === undefined) continue;
      left -= file.bytes.length;
      const records = loggedPods(new TextDecoder().decode(file.bytes));
      records.filter(({ container }) => wanted.has(container)).forEach(keep);
    }
    for (const id of wanted) searched.add(id);
    return { ...inventory, pods };
  };
}

/** The logs at the default path and those that configurations in the usual folders name, each before its rotated files. */
function logPaths({ system, terminal }: NodeFiles): readonly string[] {
  const configured = [defaultFolders.confDir, commonConfDir].flatMap((folder) =>
    confNames(orNone(() => terminal.listFolder(folder))).flatMap((name) => {
      const file = terminal.readEnd(joinPath(folder, name), maximumBytes.configuration);
      return file === undefined ? [] : orNone(() => logFilesIn(file.bytes, system.executable));
    }),
  );
  const current = uniquePaths([system.logFile, ...configured]).filter((path) => path !== '');
  return current.flatMap((path) =>
    orNone(() => findLogs(path, terminal))
      .toSorted()
      .toReversed(),
  );
}

/**
 * Reads the pods of containers from the files that libcni, and so containerd, keeps for attached containers. libcni writes
 * `<network>-<container>-<interface>` after a successful ADD, and deletes it after a successful DEL. containerd does not change the
 * folder, `/var/lib/cni` on the current drive, which is the system drive for a service.
 * https://github.com/containernetworking/cni/blob/v1.3.0/libcni/api.go
 */
export function cachedPods(
  containers: readonly string[],
  { system, terminal }: NodeFiles,
): readonly PodRecord[] {
  const drive = system.environment['SystemDrive'] ?? 'C:';
  const folder = system.windows ? `${drive}\\var\\lib\\cni\\results` : '/var/lib/cni/results';
  const names = containers.length === 0 ? [] : orNone(() => terminal.listFolder(folder));
  return names.flatMap((name) => {
    const container = containers.find((id) => name.toLowerCase().includes(`-${id}-`));
    if (container === undefined) return [];
    const file = terminal.readEnd(joinPath(folder, name), maximumBytes.cached);
    return (file && readCachedPod(file.bytes, file.modified, container)) ?? [];
  });
}

function readCachedPod(bytes: Uint8Array, modified: Date, container: string): PodRecord | undefined {
  const { kind, containerId, cniArgs } = parseObject(new TextDecoder().decode(bytes));
  const isOfContainer = typeof containerId === 'string' && containerId.toLowerCase() === container;
  if (kind !== 'cniCacheV1' || !isOfContainer || !Array.isArray(cniArgs)) return undefined;
  const value = (key: string) => {
    const pair: unknown = cniArgs.findLast((one) => Array.isArray(one) && one[0] === key);
    return Array.isArray(pair) && typeof pair[1] === 'string' ? pair[1] : '';
  };
  const name = podName(value('K8S_POD_NAMESPACE'), value('K8S_POD_NAME'));
  return name === undefined ? undefined : { container, name, added: modified.toISOString() };
}

/**
 * Returns the pods in a log of win-hcn, from the ADDs that did not fail, in the order of the log. An ADD without a result counts: a
 * killed request leaves its endpoint. Skips lines that are not log entries.
 */
export function loggedPods(log: string): readonly PodRecord[] {
  const added = new Map<unknown, PodRecord>();
  for (const line of log.split('\n')) {
    if (line.length > longestLine) continue;
    // Most lines are calls and results without error: parsing only the others makes this several times as fast.
    const isRequest = line.includes('"command":"ADD"') && line.includes('"pod":');
    if (!isRequest && (!line.includes('"event":"answer"') || /"code":0[,}]/.test(line))) continue;
    const entry = parseObject(line);
    const pod = isRequest ? readAdd(entry) : undefined;
    if (pod !== undefined) added.set(entry['request'], pod);
    else if (entry['event'] === 'answer' && entry['code'] !== 0) added.delete(entry['request']);
  }
  return [...added.values()];
}

function readAdd({ event, command, time, containerId, pod }: JsonObject): PodRecord | undefined {
  if (event !== 'request' || command !== 'ADD' || typeof time !== 'string') return undefined;
  if (typeof containerId !== 'string' || typeof pod !== 'string') return undefined;
  const [, namespace = '', given = ''] = /^([^/]*)\/(.*)$/s.exec(pod) ?? [];
  const name = podName(namespace, given);
  return name === undefined ? undefined : { container: containerId.toLowerCase(), name, added: time };
}

/**
 * Returns `namespace/name`, or the name alone for a runtime that passes no namespace. Undefined if one of them is not a name: other
 * programs may write to the files that the names are read from.
 */
function podName(namespace: string, name: string): string | undefined {
  if (!isName(name) || name.length > longestName.name) return undefined;
  if (namespace === '') return name;
  return isName(namespace) && namespace.length <= longestName.namespace ? `${namespace}/${name}` : undefined;
}

/** What `read` returns; nothing if it throws. */
function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}
