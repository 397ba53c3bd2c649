import { CniError, code } from '../cni/error.ts';
import type { HcnReader } from '../hcn/client.ts';
import { type ObservedEndpoint, schemaVersion } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { EndpointId, NamespaceId } from '../hcn/guid.ts';
import { isAttached } from '../model/readiness.ts';
import type { CommandContext } from './command-context.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes'>;

/**
 * Creates a namespace for the endpoints of one pod. Returns false if it exists already.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreatenamespace
 */
export async function createNamespace(id: NamespaceId, { hcn, changes }: Context): Promise<boolean> {
  if (await hcn.openNamespace(id)) return false;
  const document = { Type: 'Host', SchemaVersion: schemaVersion };
  await changes.transaction(() => changes.apply({ do: 'create namespace', id, document }));
  return true;
}

/**
 * Deletes a namespace; its endpoints remain, in no namespace. Returns whether it existed. Throws code 100 with the containers that run
 * in it. https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeletenamespace
 */
export async function deleteNamespace(id: NamespaceId, { hcn, changes }: Context): Promise<boolean> {
  return explainingContainers(id, hcn, () => changes.apply({ do: 'delete namespace', id }));
}

/**
 * Attaches an endpoint to a namespace, which may have others. Returns false if it is there already. Throws code 102 if it is in another
 * namespace. https://learn.microsoft.com/virtualization/api/hcn/reference/hcnmodifynamespace
 */
export async function attachEndpoint(
  endpoint: EndpointId,
  namespace: NamespaceId,
  { hcn, changes }: Context,
): Promise<boolean> {
  await requireExisting(namespace, hcn);
  const { Name: name, isThere } = await findIn(endpoint, namespace, hcn);
  if (isThere) return false;
  try {
    await changes.apply({ do: 'attach existing endpoint', endpoint, name, namespace });
    return true;
  } catch (error) {
    if (isRefusal(error) && (await findIn(endpoint, namespace, hcn)).isThere) return false;
    throw error;
  }
}

/**
 * Detaches an endpoint from a namespace; it remains, in no namespace. Returns whether it was there. Throws code 100 with the containers
 * that run in the namespace. https://learn.microsoft.com/virtualization/api/hcn/reference/hcnmodifynamespace
 */
export async function detachEndpoint(
  { ID: endpoint, Name: name }: Pick<ObservedEndpoint, 'ID' | 'Name'>,
  namespace: NamespaceId,
  { hcn, changes }: Context,
): Promise<boolean> {
  await requireExisting(namespace, hcn);
  return explainingContainers(namespace, hcn, () =>
    changes.apply({ do: 'detach endpoint', endpoint, name, namespace }),
  );
}

async function requireExisting(namespace: NamespaceId, hcn: HcnReader): Promise<void> {
  if (await hcn.openNamespace(namespace)) return;
  throw new CniError(code.unknownContainer, `HCN has no namespace ${namespace}`, {
    details: 'win-hcn ls namespaces lists the existing ones',
  });
}

/** The endpoint, and whether it is in the namespace. Throws if it is absent or in another namespace. */
async function findIn(id: EndpointId, namespace: NamespaceId, hcn: HcnReader) {
  const endpoint = await hcn.findEndpoint(id);
  if (endpoint === undefined) {
    throw new CniError(code.notAsExpected, `HCN has no endpoint ${id}`, {
      details: 'win-hcn ls endpoints lists the existing ones',
    });
  }
  if (!isAttached(endpoint)) return { ...endpoint, isThere: false };
  const actual = endpoint.HostComputeNamespace;
  if (actual === namespace) return { ...endpoint, isThere: true };
  const message = `endpoint "${endpoint.Name}" (${id}) is in namespace ${actual}, not in ${namespace}`;
  throw new CniError(code.notAsExpected, message, {
    details: 'win-hcn debug endpoint detach removes it from there',
  });
}

/** HNS detaches nothing from a namespace in which a container runs, and reports only that it does not support that. */
async function explainingContainers<T>(
  id: NamespaceId,
  hcn: HcnReader,
  change: () => Promise<T>,
): Promise<T> {
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
