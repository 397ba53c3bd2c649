import { CniError, code, errorMessage } from '../cni/error.ts';
import type { Attachment } from '../cni/request.ts';
import type { HcnReader } from '../hcn/client.ts';
import { allAddressesIn, type ObservedEndpoint } from '../hcn/documents.ts';
import { isOfOneObject } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { endpointName, isDerived, replacedEndpointName } from '../model/identity.ts';
import type { EndpointKey } from '../plan/endpoint-plan.ts';

/** The endpoint with this id, else the first one of this name whose id HNS chose; undefined if absent. */
export async function findEndpointByKey(
  { id, name }: EndpointKey,
  hcn: HcnReader,
): Promise<ObservedEndpoint | undefined> {
  return (await hcn.findEndpoint(id)) ?? (await findEndpointsNamed(name, hcn))[0];
}

/**
 * The endpoint with this id; undefined if absent. Leaves out, with a notice, an endpoint of another program that HCN refuses to return or
 * that cannot be read; throws if the id is one that win-hcn derived.
 */
export async function findReadableEndpoint(
  id: EndpointId,
  { hcn, notice }: { readonly hcn: HcnReader; readonly notice: (text: string) => void },
): Promise<ObservedEndpoint | undefined> {
  return hcn.findEndpoint(id).catch(skipOther(id, isOfOneObject, notice));
}

/** Handles a failed look-up for which `maySkip`: leaves out an endpoint of another program, with a notice. Throws if win-hcn derived its id. */
export function skipOther(
  id: EndpointId,
  maySkip: (error: unknown) => boolean,
  notice: (text: string) => void,
): (error: unknown) => undefined {
  return (error) => {
    if (!maySkip(error) || isDerived(id)) throw error;
    notice(`skipped an endpoint of another program: ${errorMessage(error)}`);
    return undefined;
  };
}

/** Whether an endpoint is the one that this process created, with these addresses: another request may have created one with its id since. */
export function isCreatedHere(
  id: EndpointId,
  observed: ObservedEndpoint,
  addresses: readonly string[],
  hcn: Pick<HcnReader, 'isCreatedEndpoint'>,
): boolean {
  const actual = allAddressesIn(observed);
  return hcn.isCreatedEndpoint(id) && addresses.every((address) => actual.includes(address));
}

/** The endpoints of this name whose ids HNS chose. */
export async function findEndpointsNamed(name: string, hcn: HcnReader): Promise<readonly ObservedEndpoint[]> {
  const found: ObservedEndpoint[] = [];
  for (const id of await hcn.findEndpointsByName(name)) {
    const endpoint = isDerived(id) ? undefined : await hcn.findEndpoint(id);
    if (endpoint?.Name === name) found.push(endpoint);
  }
  return found;
}

/**
 * The endpoints of an attachment whose ids are not derived from it: those for which HNS chose another id, and the one of the plugin
 * that win-hcn replaced. Throws code 100 if several endpoints have that plugin's name: some may belong to other containers.
 */
export async function findOtherEndpoints(
  attachment: Attachment,
  hcn: HcnReader,
): Promise<readonly ObservedEndpoint[]> {
  const own = await findEndpointsNamed(endpointName(attachment), hcn);
  const replaced = await findReplacedEndpoint(attachment, hcn);
  return replaced === undefined ? own : [...own, replaced];
}

/**
 * The endpoint that win-bridge, win-overlay or sdnbridge created for an attachment before win-hcn replaced it; undefined if absent.
 * Throws code 100 if several endpoints have its name.
 */
export async function findReplacedEndpoint(
  attachment: Attachment,
  hcn: HcnReader,
): Promise<ObservedEndpoint | undefined> {
  const name = replacedEndpointName(attachment);
  const [endpoint, ...others] = await findEndpointsNamed(name, hcn);
  if (endpoint === undefined || others.length === 0) return endpoint;
  const ids = [endpoint, ...others].map(({ ID }) => ID).join(', ');
  throw new CniError(code.hcnFailure, `${others.length + 1} endpoints are named "${name}"`, {
    details: `inspect each with win-hcn show endpoint ID, then delete the right one with win-hcn debug endpoint delete ID --yes: ${ids}`,
  });
}
