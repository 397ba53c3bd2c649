import { type CreationHresult, creationHresults } from './hresults/creation.ts';
import { endpointHresults } from './hresults/endpoint.ts';
import { guestHresults } from './hresults/guest.ts';
import { type Hresult, showLog } from './hresults/hresult.ts';
import { networkHresults } from './hresults/network.ts';
import { policyHresults } from './hresults/policy.ts';
import { requestHresults } from './hresults/request.ts';
import { serviceHresults } from './hresults/service.ts';
import { windowsHresults } from './hresults/windows.ts';
import type { Kind } from './library.ts';

/** Every code of https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult, and those HNS passes on. */
export const hresults: readonly Hresult[] = [
  ...networkHresults,
  ...endpointHresults,
  ...policyHresults,
  ...requestHresults,
  ...guestHresults,
  ...serviceHresults,
  ...windowsHresults,
];

/** What we know about an unsigned HRESULT. */
export function findHresult(hresult: number): Hresult | undefined {
  return hresults.find((known) => known.hresult === hresult);
}

/** What an HRESULT means when HCN refuses to create such an object; undefined if it means the same as elsewhere. */
export function findCreationHresult(hresult: number, creates: Kind | undefined): CreationHresult | undefined {
  return creationHresults.find((known) => known.hresult === hresult && known.creates === creates);
}

/** `HCN_E_INVALID_IP (0x803b001e): IP address is …`, or the bare number when we have no name for it. */
export function describeHresult(hresult: number): string {
  const known = findHresult(hresult);
  return known === undefined ? `HRESULT ${hex(hresult)}` : `${known.symbol} (${hex(hresult)}): ${known.text}`;
}

/** What to do about an HRESULT, known or not. `creates` is the kind of object that the failed call was to create, if any. */
export function remedyFor(hresult: number, creates?: Kind): string {
  const known = findCreationHresult(hresult, creates) ?? findHresult(hresult);
  return known?.remedy ?? (isUnavailable(hresult) ? unnamed.unavailable : unnamed.refusal);
}

const unnamed = {
  unavailable:
    'The Host Network Service does not answer: look at it with Get-Service hns, start it with Start-Service hns.',
  refusal: `Look at the log of the service: ${showLog}.`,
} as const;

/** As in `0x803b001e`. */
export function hex(hresult: number): string {
  return `0x${hresult.toString(16).padStart(8, '0')}`;
}

/** Whether the HRESULT says failure: its highest bit. */
export function isFailure(hresult: number): boolean {
  return hresult >= 0x80000000;
}

/** HCN says "there is none" in a way of its own for every kind of object, and not the same one in every verb. */
export function isNotFound(hresult: number): boolean {
  return [0x803b0001, 0x803b0002, 0x80070490].includes(hresult);
}

/** What opening a load balancer that is not there may say besides: to HNS it is a list of policies. */
export function isPolicyNotFound(hresult: number): boolean {
  return hresult === 0x803b0008;
}

/** Another endpoint has the address, or it is reserved; Windows Server 2019 says it in its own way. */
export function isAddressTaken(hresult: number): boolean {
  return [0x803b002f, 0x80071392].includes(hresult);
}

/** The endpoint is not in the namespace it was to leave. */
export function isNotAttached(hresult: number): boolean {
  return [0x803b0002, 0x803b0034].includes(hresult);
}

/** The endpoint to attach is in a namespace already. */
export function isInNamespace(hresult: number): boolean {
  return [0x803b002b, 0x803b0014].includes(hresult);
}

/**
 * Another network has the name or the subnet, or another request is creating it: codes of HCN, of Windows, and of transactions.
 */
export function isNetworkExisting(hresult: number): boolean {
  return [0x803b0010, 0x803b0011, 0x800700b7, 0x80070034, 0x80071392, 0x80071a90].includes(hresult);
}

/** The adapter of a network to create is absent, or still bound: HNS releases a deleted network's adapter seconds later. */
export function isAdapterMissing(hresult: number): boolean {
  return [0x803b0006, 0x80070490].includes(hresult);
}

/** This Windows does not do what was asked for with any document, so that another way is worth a try. */
export function isNotImplemented(hresult: number): boolean {
  return [0x80004001, 0x80070032, 0x80070078, 0x803b0015, 0x803b0023].includes(hresult);
}

/**
 * The service did not do its work: what was asked for may be there, or not, or half. Never the same as absent.
 * RPC failures, timeouts, and a service that stops, is disabled or is not started.
 */
export function isUnavailable(hresult: number): boolean {
  const others = [0x803b0020, 0x80070422, 0x80070426, 0x8007045b, 0x800705b4];
  return others.includes(hresult) || (hresult >= 0x800706a4 && hresult <= 0x80070721);
}

/** HNS or Windows reported a timeout or a busy server: the service is running, but slow. */
export function isTimeout(hresult: number): boolean {
  return [0x800705b4, 0x80070102, 0x800706bb, 0x8007071a].includes(hresult);
}

/** The call did not reach the service, so that it had no effect. */
export function isNotExecuted(hresult: number): boolean {
  return [0x800706ba, 0x800706bf, 0x800706d9, 0x80070422, 0x80070426].includes(hresult);
}

/** The handle is of an object that has been deleted since it was opened. */
export function isUsedAfterUnload(hresult: number): boolean {
  return hresult === 0x803b0031;
}
