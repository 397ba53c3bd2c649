import type { Policy } from '../../hcn/documents.ts';
import { isFailure } from '../../hcn/hresults.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import { endpointDocument, granted, read } from './fixtures.ts';
import type { Answer, Item, Laboratory } from './laboratory.ts';
import { NotTried, type Observation, seen, seenAcceptance, symbolOf } from './row.ts';

/** Creates an endpoint with policies on the shared network. */
export async function tryPolicies(
  laboratory: Laboratory,
  ...Policies: readonly Policy[]
): Promise<Answer<Item<'Endpoint'> | undefined>> {
  const network = await laboratory.base();
  return laboratory.createEndpoint(network, { ...endpointDocument(laboratory, network), Policies });
}

/** `refused`, or what HNS returns of an accepted policy shows. Throws NotTried like `seenRefusal`. */
export async function seenPolicy(
  laboratory: Laboratory,
  policy: Policy,
  usual: readonly Policy[],
  whenAccepted: (returned: readonly JsonObject[]) => Observation = () => seen('accepted'),
): Promise<Observation> {
  const answer = await tryPolicies(laboratory, policy);
  if (!isFailure(answer.hresult))
    return whenAccepted(settingsOfType(await policiesOf(laboratory, answer), policy.Type));
  return seenRefusal(laboratory, answer.hresult, usual);
}

/**
 * `refused`. Throws NotTried if HNS refuses one of the `usual` policies too, because the refusal has another reason then.
 */
export async function seenRefusal(
  laboratory: Laboratory,
  refusal: number,
  usual: readonly Policy[],
): Promise<Observation> {
  for (const one of usual) {
    const { hresult } = await tryPolicies(laboratory, one);
    if (isFailure(hresult)) throw new NotTried(`HNS refuses every ${one.Type} policy: ${symbolOf(hresult)}`);
  }
  return seenAcceptance(refusal);
}

/** The policies of a created endpoint as HNS returns them. Throws NotTried if the creation was refused. */
export async function policiesOf(
  laboratory: Laboratory,
  answer: Answer<Item<'Endpoint'> | undefined>,
): Promise<readonly JsonObject[]> {
  const { Policies } = await read(laboratory, granted(answer, 'creating an endpoint'));
  return Array.isArray(Policies) ? Policies.filter(isObject) : [];
}

/** The Settings of the policies of one type, in any spelling; `{}` if a policy has none. */
export function settingsOfType(policies: readonly JsonObject[], type: string): readonly JsonObject[] {
  return policies
    .filter(({ Type }) => String(Type).toLowerCase() === type.toLowerCase())
    .map(({ Settings }) => (isObject(Settings) ? Settings : {}));
}

/**
 * `as sent`, `changed` or `absent`: how HNS returned the Settings of a policy. The order of members does not count, nor do further
 * policies of the type.
 */
export function seenReturned(sent: JsonObject, returned: readonly JsonObject[]): Observation {
  const [closest] = returned
    .map((settings) => differences(sent, settings))
    .toSorted((one, other) => one.length - other.length);
  if (closest === undefined) return seen('absent');
  return closest.length === 0 ? seen('as sent') : seen('changed', closest.join('; '));
}

function differences(sent: JsonObject, returned: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(sent), ...Object.keys(returned)])];
  return names.flatMap((name) => {
    const [before, after] = [jsonOf(sent[name]), jsonOf(returned[name])];
    return before === after ? [] : [`${name}: sent ${before}, returned ${after}`];
  });
}

/** JSON with sorted members, or `nothing`. */
function jsonOf(value: unknown): string {
  const sorted = (_: string, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted()) : inner;
  return JSON.stringify(value, sorted) ?? 'nothing';
}
