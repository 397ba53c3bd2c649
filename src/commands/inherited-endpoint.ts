import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { Guid } from '../hcn/guid.ts';
import { inheritedEndpointName, isDerived } from '../plan/identity.ts';

/**
 * The endpoint that win-bridge, win-overlay or sdnbridge made for an attachment, by the name they gave it: a node may have changed
 * plugins. Throws code 100 where several have the name.
 */
export async function findInheritedEndpoint(
  attachment: Attachment,
  hcn: HcnClient,
): Promise<Guid | undefined> {
  const name = inheritedEndpointName(attachment);
  const [inherited, ...others] = (await hcn.findEndpointsByName(name)).filter((id) => !isDerived(id));
  if (others.length === 0) return inherited;
  const details = `look at them with win-hcn show endpoint ID, and delete the right one with win-hcn endpoint delete ID --yes: ${[inherited, ...others].join(', ')}`;
  throw new CniError(code.hcnFailure, `${others.length + 1} endpoints are called "${name}"`, { details });
}
