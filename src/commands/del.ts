import type { Attachment, DetachRequest } from '../cni/request.ts';
import type { TeardownConfig } from '../config/network-config.ts';
import type { HcnClient } from '../hcn/client.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { endpointId, inheritedEndpointName, isDerived } from '../plan/identity.ts';
import { toCniError, withDetails } from './failures.ts';
import type { Host } from './host.ts';

/**
 * Deletes an attachment's endpoint, then has its addresses given back (specification, section 4, "DEL").
 * Each part is attempted whatever became of the other; the first failure is the error. What is gone already is fine.
 */
export async function del(
  request: DetachRequest,
  config: TeardownConfig,
  { hcn, findIpam }: Host,
): Promise<void> {
  const attachment = { containerId: request.containerId, ifname: request.ifname, network: config.name };
  const failures: unknown[] = [];
  await deleteEndpoint(attachment, hcn).catch((error: unknown) => failures.push(error));
  await giveAddressesBack(findIpam).catch((error: unknown) => failures.push(error));
  const [first, ...others] = failures;
  if (first !== undefined)
    throw withDetails(
      first,
      others.map((error) => toCniError(error).message),
    );
}

/** By its own id, or else by the name that win-bridge, win-overlay and sdnbridge gave it: a node may have changed plugins. */
async function deleteEndpoint(attachment: Attachment, hcn: HcnClient): Promise<void> {
  if (await hcn.deleteEndpoint(endpointId(attachment))) return;
  const inherited = await hcn.findEndpointsByName(inheritedEndpointName(attachment));
  for (const id of inherited.filter((id) => !isDerived(id))) await hcn.deleteEndpoint(id);
}

async function giveAddressesBack(findIpam: Host['findIpam']): Promise<void> {
  const ipam = findIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'DEL');
}
