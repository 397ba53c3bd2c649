import { CniError, code } from '../cni/error.ts';
import { schemaVersion } from '../hcn/documents.ts';
import { isRefusal } from '../hcn/errors.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { containersIn } from '../model/readiness.ts';
import type { CommandContext } from './command-context.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes'>;

/**
 * Creates a namespace for the endpoints of one pod. Returns its id, which HNS may choose; undefined if the namespace exists already.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcncreatenamespace
 */
export async function createNamespace(
  id: NamespaceId,
  { hcn, changes }: Context,
): Promise<NamespaceId | undefined> {
  if (await hcn.openNamespace(id)) return undefined;
  const document = { Type: 'Host', SchemaVersion: schemaVersion };
  return changes.transaction(async () => {
    await changes.apply({ do: 'create namespace', id, document });
    return (await hcn.findNamespace(id))?.ID ?? id;
  });
}

/**
 * Deletes a namespace; its endpoints remain, in no namespace. Returns whether it existed. HNS refuses while a container runs in it, and
 * reports only that it does not support that: throws code 100 with the containers.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcndeletenamespace
 */
export async function deleteNamespace(id: NamespaceId, { hcn, changes }: Context): Promise<boolean> {
  try {
    return await changes.apply({ do: 'delete namespace', id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const namespace = await hcn.findNamespace(id).catch(() => undefined);
    const containers = containersIn(namespace);
    if (containers.length === 0) throw error;
    const message = `containers run in namespace ${id}, stop them first: ${containers.join(', ')}`;
    throw new CniError(code.hcnFailure, message, { details: error.message, cause: error });
  }
}
