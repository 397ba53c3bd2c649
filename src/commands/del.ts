import type { Attachment } from '../cni/request.ts';
import type { HcnClient } from '../hcn/client.ts';
import { HcnMissing } from '../hcn/errors.ts';
import type { Guid } from '../hcn/guid.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { endpointId } from '../model/identity.ts';
import { attachedTo } from '../model/readiness.ts';
import type { CommandContext } from './command-context.ts';
import { findOtherEndpoints } from './own-endpoints.ts';
import { removeEndpoint } from './remove-endpoint.ts';

/**
 * Deletes an attachment's endpoint, then has the IPAM plugin release its addresses (specification, section 4, "DEL"). An absent
 * endpoint is no error. While the endpoint may still exist, its addresses are not released: the runtime repeats a DEL that failed.
 * Without an HCN library there is no endpoint. `namespace` is the one CNI_NETNS names, undefined if none.
 */
export async function del(
  attachment: Attachment,
  namespace: Guid | undefined,
  { hcn, locateIpam }: Pick<CommandContext, 'hcn' | 'locateIpam'>,
): Promise<void> {
  const missing = await deleteEndpoint(attachment, namespace, hcn).catch((error: unknown) => {
    if (error instanceof HcnMissing) return error;
    throw error;
  });
  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'DEL');
  if (missing !== undefined) throw missing;
}

async function deleteEndpoint(
  attachment: Attachment,
  namespace: Guid | undefined,
  hcn: HcnClient,
): Promise<undefined> {
  if (await removeEndpoint(endpointId(attachment), namespace, hcn)) return;
  for (const endpoint of await findOtherEndpoints(attachment, hcn))
    await removeEndpoint(endpoint.ID, attachedTo(endpoint), hcn);
}
