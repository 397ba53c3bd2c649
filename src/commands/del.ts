import type { Attachment } from '../cni/request.ts';
import { HcnMissing } from '../hcn/errors.ts';
import type { NamespaceId } from '../hcn/guid.ts';
import { endpointId, endpointName } from '../model/identity.ts';
import { attachedTo } from '../model/readiness.ts';
import { findOtherEndpoints } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes' | 'locateIpam'>;

/**
 * Deletes an attachment's endpoint, then has the IPAM plugin release its addresses (specification, section 2, "DEL"). An absent
 * endpoint is not an error. While the endpoint may still exist, its addresses are not released: the runtime repeats a DEL that failed.
 * Without an HCN library there is no endpoint. `namespace` is the one in CNI_NETNS, undefined if there is none.
 */
export async function del(
  attachment: Attachment,
  namespace: NamespaceId | undefined,
  context: Context,
): Promise<void> {
  const missing = await deleteEndpoints(attachment, namespace, context).catch((error: unknown) => {
    if (error instanceof HcnMissing) return error;
    throw error;
  });
  const ipam = context.locateIpam();
  if (ipam !== undefined) await context.changes.apply({ do: 'release addresses', plugin: ipam.type });
  if (missing !== undefined) throw missing;
}

async function deleteEndpoints(
  attachment: Attachment,
  namespace: NamespaceId | undefined,
  { hcn, changes }: Context,
): Promise<undefined> {
  const [id, name] = [endpointId(attachment), endpointName(attachment)];
  if (await changes.apply({ do: 'delete endpoint', id, name, namespace })) return;
  for (const endpoint of await findOtherEndpoints(attachment, hcn)) {
    const { ID, Name } = endpoint;
    await changes.apply({ do: 'delete endpoint', id: ID, name: Name, namespace: attachedTo(endpoint) });
  }
}
