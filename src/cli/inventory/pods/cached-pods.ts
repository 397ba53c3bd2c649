import { parseObject } from '../../../json/members.ts';
import type { Session } from '../../terminal/session.ts';
import { joinPath } from '../../terminal/windows-path.ts';
import { type PodRecord, podName } from './pod-name.ts';

/** A larger file is not libcni's: it would hold one configuration and one result. */
const maximumBytes = 1024 * 1024;

/**
 * Reads the pods of containers from the files that libcni, and so containerd, keeps for attached containers. libcni writes
 * `<network>-<container>-<interface>` after a successful ADD, and deletes it after a successful DEL. containerd does not change the
 * folder, `/var/lib/cni` on the current drive, which is the system drive for a service.
 * https://github.com/containernetworking/cni/blob/v1.3.0/libcni/api.go
 */
export function cachedPods(
  containers: readonly string[],
  { system, terminal }: Pick<Session, 'system' | 'terminal'>,
): readonly PodRecord[] {
  const folder = resultsFolder(system);
  const names = orNone(() => terminal.listFolder(folder)).map((name) => [name, name.toLowerCase()] as const);
  return containers.flatMap((container) =>
    names
      .filter(([, compared]) => compared.includes(`-${container}-`))
      .flatMap(([name]) => {
        const file = terminal.readEnd(joinPath(folder, name), maximumBytes);
        return (file && readCachedPod(file.bytes, file.modified, container)) ?? [];
      }),
  );
}

function resultsFolder({ windows, environment }: Session['system']): string {
  return windows ? `${environment['SystemDrive'] ?? 'C:'}\\var\\lib\\cni\\results` : '/var/lib/cni/results';
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

/** What `read` returns; nothing if it throws. */
export function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}
