import { CniError, code, withDetails } from '../cni/error.ts';
import { addressesIn, type HostComputeEndpoint, type ObservedEndpoint } from '../hcn/documents.ts';
import { type HcnError, isRefusal } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { isAddressTaken, isExisting, isPermanent, isSwitchMissing } from '../hcn/hresults.ts';
import { networkArgument } from '../model/network-document.ts';
import { isLinkLocal } from '../net/address.ts';
import { lostAcls } from '../plan/endpoint-differences.ts';
import type { IdentifiedNetwork } from '../plan/network-plan.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';

type Context = Pick<CommandContext, 'hcn' | 'changes'>;
type Creation = Step<'create endpoint' | 'create host endpoint'>;

/** How long the switch of a new network may refuse endpoints. */
const switchMilliseconds = 20_000;
/** How long HNS may show a new endpoint without its address, and find a deleted one. */
const lateMilliseconds = 2_000;

/**
 * Creates an endpoint. The virtual switch of a new network may refuse endpoints for some seconds
 * (microsoft/windows-container-networking's tests try twice): retries for 20 s. On a network that another request created, which may be
 * new too, retries only if HNS lacks the switch or its port. Throws the last refusal.
 */
export async function create(step: Creation, isNewNetwork: boolean, { changes }: Context): Promise<void> {
  const mayPass = ({ hresult }: HcnError) =>
    isNewNetwork ? !isPermanent(hresult) && !isTaken({ hresult }) : isSwitchMissing(hresult);
  await applyUntilAccepted(step, switchMilliseconds, mayPass, changes);
}

/**
 * Creates an endpoint again after HNS refused it because of another one, which is deleted now and which HNS may still find: retries for
 * 2 s. Throws `refusal`, or else code 11, if HNS then still refuses it for that reason. Throws any other refusal.
 */
export async function createAfterDeletion(
  step: Creation,
  refusal: HcnError | undefined,
  { changes }: Context,
): Promise<void> {
  await applyUntilAccepted(step, lateMilliseconds, isTaken, changes).catch((error: unknown) => {
    if (!isRefusal(error) || !isTaken(error)) throw error;
    if (refusal !== undefined) throw refusal;
    const message = `HNS has not released the leftover endpoint that "${step.document.Name}" replaces: retry`;
    throw withDetails(new CniError(code.tryAgainLater, message, { cause: error }), error.message);
  });
}

/** Whether HNS refuses an endpoint because another one has its id or its address. */
function isTaken({ hresult }: Pick<HcnError, 'hresult'>): boolean {
  return isAddressTaken(hresult) || isExisting(hresult);
}

async function applyUntilAccepted(
  step: Creation,
  milliseconds: number,
  mayPass: (refusal: HcnError) => boolean,
  changes: Context['changes'],
): Promise<void> {
  let last: unknown;
  const tryOnce = async (): Promise<true | undefined> => {
    try {
      await changes.apply(step);
      return true;
    } catch (error) {
      if (!isRefusal(error) || !mayPass(error)) throw error;
      last = error;
      return undefined;
    }
  };
  if ((await changes.waitFor(milliseconds, tryOnce, tryOnce)) === undefined) throw last;
}

/**
 * The endpoint that a step created, as HNS shows it. HNS may show it, its addresses or its ACLs a moment later: looks for 2 s. Throws code
 * 11 if it is absent then.
 */
export async function findCreated(
  { id, document }: Creation,
  { hcn, changes }: Context,
): Promise<ObservedEndpoint> {
  let last: ObservedEndpoint | undefined;
  const find = async () => {
    last = await hcn.findEndpoint(id);
    const isComplete =
      last !== undefined && hasAddresses(document, last) && lostAcls(document, last).length === 0;
    return isComplete ? last : undefined;
  };
  const endpoint = (await changes.waitFor(lateMilliseconds, find, find)) ?? last;
  if (endpoint === undefined) throw disappeared(id);
  return endpoint;
}

/** Whether an endpoint has an address other than a link-local one, which Windows assigns until HNS does, unless that was asked for. */
function hasAddresses(sent: HostComputeEndpoint, observed: ObservedEndpoint): boolean {
  const addresses = addressesIn(observed);
  return addresses.length > 0 && (addressesIn(sent).length > 0 || !addresses.every(isLinkLocal));
}

/** Another program deleted a new endpoint, or HNS restarted and lost it. */
export function disappeared(id: EndpointId): CniError {
  return new CniError(code.tryAgainLater, `endpoint ${id} disappeared right after its creation: retry`);
}

/** HNS may show the addresses later than 2 s after the creation, or assign none. */
export function withoutAddress({ Name }: ObservedEndpoint, network: IdentifiedNetwork): CniError {
  return new CniError(code.tryAgainLater, `HNS shows no address for the new endpoint "${Name}": retry`, {
    details: `if the retry fails too, check the network's subnets with win-hcn show network ${networkArgument(network)}`,
  });
}
