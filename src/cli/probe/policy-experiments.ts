import type { Policy } from '../../hcn/documents.ts';
import { isFailure } from '../../hcn/hresults.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { created, endpointDocument, read } from './fixtures.ts';
import type { Answer, Item, Laboratory } from './laboratory.ts';
import { NotTried, type Observation, seen, symbolOf } from './row.ts';

/** Creates an endpoint with policies on the shared network. */
export async function tryPolicies(
  laboratory: Laboratory,
  ...Policies: readonly Policy[]
): Promise<Answer<Item<'Endpoint'> | undefined>> {
  const network = await laboratory.base();
  return laboratory.createEndpoint(network, { ...endpointDocument(laboratory, network), Policies });
}

/**
 * `refused`, or what an accepted endpoint shows. Throws NotTried if HNS refuses one of the `usual` policies too, because the refusal has
 * another reason then.
 */
export async function seenPolicy(
  laboratory: Laboratory,
  policy: Policy,
  usual: readonly Policy[],
  whenAccepted: (returned: readonly JsonObject[]) => Observation = () => seen('accepted'),
): Promise<Observation> {
  const answer = await tryPolicies(laboratory, policy);
  if (!isFailure(answer.hresult))
    return whenAccepted(settingsOfType(await policiesOf(laboratory, answer), policy.Type));
  for (const one of usual) {
    const { hresult } = await tryPolicies(laboratory, one);
    if (isFailure(hresult)) throw new NotTried(`HNS refuses any ${one.Type}: ${symbolOf(hresult)}`);
  }
  return seen('refused', symbolOf(answer.hresult));
}

/** The policies of a created endpoint as HNS returns them. Throws NotTried if the creation was refused. */
export async function policiesOf(
  laboratory: Laboratory,
  answer: Answer<Item<'Endpoint'> | undefined>,
): Promise<readonly JsonObject[]> {
  const { Policies } = await read(laboratory, await created(laboratory, answer));
  return Array.isArray(Policies) ? Policies.filter(isObject) : [];
}

/** The Settings of the policies of one type, in any spelling; `{}` if a policy has none. */
export function settingsOfType(policies: readonly JsonObject[], type: string): readonly JsonObject[] {
  return policies
    .filter(({ Type }) => String(Type).toLowerCase() === type.toLowerCase())
    .map(({ Settings }) => (isObject(Settings) ? Settings : {}));
}
