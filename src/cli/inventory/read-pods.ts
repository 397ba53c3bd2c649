import { isName } from '../../cni/request.ts';
import { parseObject } from '../../json/members.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';
import { uniqueContainers } from './pods.ts';

/** The most bytes that are read of a file of libcni, which holds one configuration and one result. */
const maximumBytes = 2 ** 20;
/** The longest namespace (a DNS label) and name (a DNS subdomain) of Kubernetes. */
const longestName = { namespace: 63, name: 253 } as const;

/** Adds the pods to an inventory, whose names HCN does not store. */
export function withPods(inventory: Inventory, files: Pick<Session, 'system' | 'terminal'>): Inventory {
  const containers = uniqueContainers(inventory).map((id) => id.toLowerCase());
  const pods = cachedPods(containers, files).map(({ container, ...pod }) => [container, pod] as const);
  return { ...inventory, pods: new Map(pods) };
}

/**
 * Reads the pods of containers from the files that libcni, and so containerd, keeps for attached containers. libcni writes
 * `<network>-<container>-<interface>` after a successful ADD, and deletes it after a successful DEL. containerd does not change the
 * folder, `/var/lib/cni` on the current drive, which is the system drive for a service.
 * https://github.com/containernetworking/cni/blob/v1.3.0/libcni/api.go
 */
export function cachedPods(
  containers: readonly string[],
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
) {
  const drive = system.environment['SystemDrive'] ?? 'C:';
  const folder = system.windows ? `${drive}\\var\\lib\\cni\\results` : '/var/lib/cni/results';
  const list = () => {
    try {
      return terminal.listFolder(folder);
    } catch {
      return [];
    }
  };
  return (containers.length === 0 ? [] : list()).flatMap((name) => {
    const container = containers.find((id) => name.toLowerCase().includes(`-${id}-`));
    if (container === undefined) return [];
    const file = terminal.readEnd(joinPath(folder, name), maximumBytes);
    return (file && readCachedPod(file.bytes, file.modified, container)) ?? [];
  });
}

function readCachedPod(bytes: Uint8Array, modified: Date, container: string) {
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
 * Returns `namespace/name`, or the name alone for a runtime that passes no namespace. Undefined if one of them is not a name: other
 * programs may write to the files that the names are read from.
 */
function podName(namespace: string, name: string): string | undefined {
  if (!isName(name) || name.length > longestName.name) return undefined;
  if (namespace === '') return name;
  return isName(namespace) && namespace.length <= longestName.namespace ? `${namespace}/${name}` : undefined;
}
