import type { Attachment } from '../cni/request.ts';
import type { HcnClient } from '../hcn/client.ts';
import { HcnMissing } from '../hcn/errors.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { endpointId } from '../plan/identity.ts';
import type { Host } from './host.ts';
import { findInheritedEndpoint } from './inherited-endpoint.ts';

/**
 * Deletes an attachment's endpoint, then has its addresses given back (specification, section 4, "DEL"). What is gone already is
 * fine. While the endpoint may still be there its addresses are not given back: the runtime repeats a DEL that failed. Where
 * there is no HCN there is no endpoint.
 */
export async function del(
  attachment: Attachment,
  { hcn, locateIpam }: Pick<Host, 'hcn' | 'locateIpam'>,
): Promise<void> {
  const missing = await deleteEndpoint(attachment, hcn).catch((error: unknown) => {
    if (error instanceof HcnMissing) return error;
    throw error;
  });
  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'DEL');
  if (missing !== undefined) throw missing;
}

async function deleteEndpoint(attachment: Attachment, hcn: HcnClient): Promise<undefined> {
  if (await hcn.deleteEndpoint(endpointId(attachment))) return;
  const inherited = await findInheritedEndpoint(attachment, hcn);
  if (inherited !== undefined) await hcn.deleteEndpoint(inherited);
}
