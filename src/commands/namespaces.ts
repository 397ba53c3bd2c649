import { CniError, code } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { schemaVersion } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { isAttached } from '../model/readiness.ts';
import { applyAll } from './apply-all.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Creates a namespace for the endpoints of one pod. Answers whether there was none: one that exists stays as it is.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreatenamespace
 */
export async function createNamespace(id: Guid, { hcn }: Pick<CommandContext, 'hcn'>): Promise<boolean> {
  if (await hcn.openNamespace(id)) return false;
  const document = { Type: 'Host', SchemaVersion: schemaVersion };
  await applyAll([{ do: 'create namespace', id, document }], hcn);
  return true;
}

/**
 * Deletes a namespace; its endpoints stay, in none. Answers whether there was one. Throws code 100 naming the containers that run
 * in it. https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeletenamespace
 */
export async function deleteNamespace(id: Guid, { hcn }: Pick<CommandContext, 'hcn'>): Promise<boolean> {
  return unlessContainersRun(id, hcn, () => hcn.deleteNamespace(id));
}

/**
 * Puts an endpoint into a namespace, which may have others. Answers whether it was not there yet. Throws code 102 naming the
 * namespace it is in, when that is another one. https://learn.microsoft.com/virtualization/api/hcn/reference/hcnmodifynamespace
 */
export async function attachEndpoint(
  endpoint: Guid,
  namespace: Guid,
  { hcn }: Pick<CommandContext, 'hcn'>,
): Promise<boolean> {
  await mustExist(namespace, hcn);
  if (await isIn(endpoint, namespace, hcn)) return false;
  try {
    await applyAll([{ do: 'attach existing endpoint', endpoint, namespace }], hcn);
    return true;
  } catch (error) {
    if (
      isRefusal(error instanceof CniError ? (error.cause ?? error) : error) &&
      (await isIn(endpoint, namespace, hcn))
    ) {
      return false;
    }
    throw error;
  }
}

/**
 * Takes an endpoint out of a namespace; it stays, in none. Answers whether it was in it. Throws code 100 naming the containers that
 * run in the namespace. https://learn.microsoft.com/virtualization/api/hcn/reference/hcnmodifynamespace
 */
export async function detachEndpoint(
  endpoint: Guid,
  namespace: Guid,
  { hcn }: Pick<CommandContext, 'hcn'>,
): Promise<boolean> {
  await mustExist(namespace, hcn);
  return unlessContainersRun(namespace, hcn, () => hcn.removeEndpoint(namespace, endpoint));
}

async function mustExist(namespace: Guid, hcn: HcnClient): Promise<void> {
  if (await hcn.openNamespace(namespace)) return;
  throw new CniError(code.unknownContainer, `HCN has no namespace ${namespace}`, {
    details: 'win-hcn ls namespaces shows those there are',
  });
}

/** Whether the endpoint is in the namespace already. Throws when it is in another one, and when there is none. */
async function isIn(id: Guid, namespace: Guid, hcn: HcnClient): Promise<boolean> {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) {
    throw new CniError(code.notAsExpected, `HCN has no endpoint ${id}`, {
      details: 'win-hcn ls endpoints shows those there are',
    });
  }
  if (!isAttached(endpoint)) return false;
  const actual = endpoint.HostComputeNamespace;
  if (actual === namespace) return true;
  const message = `endpoint "${endpoint.Name}" (${id}) is in namespace ${actual}, not in ${namespace}`;
  throw new CniError(code.notAsExpected, message, {
    details: 'win-hcn endpoint detach takes it out of there',
  });
}

/** HNS lets nobody out of a namespace in which a container runs, and says only that it does not support that. */
async function unlessContainersRun<T>(id: Guid, hcn: HcnClient, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const namespace = await hcn.findNamespace(id).catch(() => undefined);
    const containers = namespace?.Resources?.filter(({ Type }) => Type.toLowerCase() === 'container') ?? [];
    if (containers.length === 0) throw error;
    const names = containers.map(({ Data }) => Data.Id).join(', ');
    const message = `containers run in namespace ${id}, stop them first: ${names}`;
    throw new CniError(code.hcnFailure, message, { details: error.message, cause: error });
  }
}
