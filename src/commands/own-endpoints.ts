import { CniError, code } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { HcnClient } from '../hcn/client.ts';
import type { ObservedEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { dropInEndpointName, endpointName, isDerived } from '../model/identity.ts';

/** How to find an endpoint that win-hcn created: by its derived id, or by its name if HNS chose another id. */
export interface EndpointKey {
  readonly id: Guid;
  readonly name: string;
}

/** The endpoint with this id, else the first one of this name whose id HNS chose; undefined if absent. */
export async function findByKey(
  { id, name }: EndpointKey,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  return (await hcn.findEndpoint(id)) ?? (await findNamed(name, hcn))[0];
}

/** The endpoints of this name whose ids HNS chose. */
export async function findNamed(name: string, hcn: HcnClient): Promise<readonly ObservedEndpoint[]> {
  const found: ObservedEndpoint[] = [];
  for (const id of await hcn.findEndpointsByName(name)) {
    const endpoint = isDerived(id) ? undefined : await hcn.findEndpoint(id);
    if (endpoint?.Name === name) found.push(endpoint);
  }
  return found;
}

/**
 * The endpoints of an attachment without the id derived from it: those whose id HNS chose, and the one that win-bridge, win-overlay
 * or sdnbridge created before win-hcn replaced it. Throws code 100 if several have that plugin's name, because some may belong to
 * other containers.
 */
export async function findOtherEndpoints(
  attachment: Attachment,
  hcn: HcnClient,
): Promise<readonly ObservedEndpoint[]> {
  const own = await findNamed(endpointName(attachment), hcn);
  const dropIn = await findDropInEndpoint(attachment, hcn);
  return dropIn === undefined ? own : [...own, dropIn];
}

/** The endpoint that one of those plugins created for an attachment, undefined if absent. Throws code 100 if several have its name. */
export async function findDropInEndpoint(
  attachment: Attachment,
  hcn: HcnClient,
): Promise<ObservedEndpoint | undefined> {
  const name = dropInEndpointName(attachment);
  const [dropIn, ...others] = await findNamed(name, hcn);
  if (dropIn === undefined || others.length === 0) return dropIn;
  const ids = [dropIn, ...others].map(({ ID }) => ID).join(', ');
  const details = `look at them with win-hcn show endpoint ID, and delete the right one with win-hcn endpoint delete ID --yes: ${ids}`;
  throw new CniError(code.hcnFailure, `${others.length + 1} endpoints are called "${name}"`, { details });
}
