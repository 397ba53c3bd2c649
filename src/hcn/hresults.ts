import { checkHns, type HresultMeaning, showLog } from './hresults/meaning.ts';
import { type HresultSymbol, hresultNumbers } from './hresults/numbers.ts';
import { hresultTexts } from './hresults/texts.ts';

/** What an HRESULT means, with its symbol and its unsigned number. */
export interface Hresult extends HresultMeaning {
  readonly symbol: string;
  readonly hresult: number;
}

const symbols = new Map<number, string>(
  Object.entries(hresultNumbers).map(([symbol, hresult]) => [hresult, symbol]),
);

/** Every HRESULT with a text. */
export function everyHresult(): readonly Hresult[] {
  const numbers: Readonly<Partial<Record<string, number>>> = hresultNumbers;
  return Object.entries(hresultTexts()).map(([symbol, meaning]) => ({
    symbol,
    hresult: numbers[symbol] ?? 0,
    ...meaning,
  }));
}

/** The unsigned number of a symbol. */
export function hresultOf(symbol: HresultSymbol): number {
  return hresultNumbers[symbol];
}

/** The meaning of an unsigned HRESULT; undefined for one without a text. */
export function findHresult(hresult: number): Hresult | undefined {
  const texts: Readonly<Partial<Record<string, HresultMeaning>>> = hresultTexts();
  const symbol = symbols.get(hresult) ?? '';
  const meaning = texts[symbol];
  return meaning && { symbol, hresult, ...meaning };
}

/** `HCN_E_INVALID_IP (0x803b001e): IP address is …`, or only the number for an unknown HRESULT. */
export function describeHresult(hresult: number): string {
  const known = findHresult(hresult);
  return known === undefined ? `HRESULT ${hex(hresult)}` : `${known.symbol} (${hex(hresult)}): ${known.text}`;
}

/** The remedy for any HRESULT. */
export function remedyFor(hresult: number): string {
  const unnamed = isUnavailable(hresult)
    ? `The Host Network Service does not respond. ${checkHns}`
    : `Read the Host Network Service log: ${showLog}.`;
  return findHresult(hresult)?.remedy ?? unnamed;
}

/** As in `0x803b001e`. */
export function hex(hresult: number): string {
  return `0x${hresult.toString(16).padStart(8, '0')}`;
}

/** Whether the HRESULT means failure: its highest bit is set. */
export function isFailure(hresult: number): boolean {
  return hresult >= 0x80000000;
}

function isOneOf(symbols: readonly HresultSymbol[]): (hresult: number) => boolean {
  return (hresult) => isFailure(hresult) && symbols.some((symbol) => hresultOf(symbol) === hresult);
}

/** The object does not exist. HCN's code depends on the kind of object and on the call. */
export const isNotFound = isOneOf(['HCN_E_NETWORK_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND']);

/** Windows Server 2019 returns this for a load balancer that it cannot delete, because its network is gone (Azure/aks-engine#3956). */
export const isNetworkNotFound = isOneOf(['HCN_E_NETWORK_NOT_FOUND']);

/** Opening an absent load balancer may return this too: HNS stores a load balancer as a list of policies. */
export const isPolicyNotFound = isOneOf(['HCN_E_POLICY_NOT_FOUND']);

/** Another endpoint has the address, or the address is reserved. Windows Server 2019 has its own code for it. */
export const isAddressTaken = isOneOf(['HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_OBJECT_ALREADY_EXISTS']);

/** The object to create exists, or still does. */
export const isExisting = isOneOf(['ERROR_ALREADY_EXISTS', 'ERROR_OBJECT_ALREADY_EXISTS']);

/** The endpoint to detach is not in the namespace. */
export const isNotAttached = isOneOf(['HCN_E_ENDPOINT_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_ATTACHED']);

/** The endpoint to attach is already in a namespace. */
export const isInNamespace = isOneOf([
  'HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS',
  'HCN_E_ENDPOINT_ALREADY_ATTACHED',
]);

/** Another network has the name or the subnet, or another request is creating it. */
export const isNetworkExisting = isOneOf([
  'HCN_E_NETWORK_ALREADY_EXISTS',
  'HCN_E_LAYER_ALREADY_EXISTS',
  'ERROR_ALREADY_EXISTS',
  'ERROR_DUP_NAME',
  'ERROR_OBJECT_ALREADY_EXISTS',
  'ERROR_TRANSACTIONAL_CONFLICT',
]);

/** The adapter of a network to create is absent or still bound: HNS releases the adapter of a deleted network seconds later. */
export const isAdapterMissing = isOneOf(['HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND']);

/** The virtual switch of a network, or its port, does not exist, or not yet. */
export const isSwitchMissing = isOneOf(['HCN_E_SWITCH_NOT_FOUND', 'HCN_E_PORT_NOT_FOUND']);

/** Refusals that an immediate retry does not resolve: of the document, of the caller, or of a host port in use. */
export const isPermanent = isOneOf([
  'E_ACCESSDENIED',
  'E_INVALIDARG',
  'E_NOTIMPL',
  'E_OUTOFMEMORY',
  'E_POINTER',
  'ERROR_NOT_SUPPORTED',
  'ERROR_SHARING_VIOLATION',
  'HCN_E_INVALID_ENDPOINT',
  'HCN_E_INVALID_INTERNAL_PORT',
  'HCN_E_INVALID_IP',
  'HCN_E_INVALID_JSON',
  'HCN_E_INVALID_JSON_REFERENCE',
  'HCN_E_INVALID_POLICY',
  'HCN_E_INVALID_POLICY_TYPE',
  'HCN_E_INVALID_SUBNET',
  'HCN_E_MAPPING_NOT_SUPPORTED',
  'HCN_E_POLICY_ALREADY_EXISTS',
  'HCN_E_PORT_ALREADY_EXISTS',
  'HCN_E_REQUEST_UNSUPPORTED',
]);

const isServiceDown = isOneOf([
  'HCN_E_MANAGER_STOPPED',
  'ERROR_SERVICE_DISABLED',
  'ERROR_SERVICE_NOT_ACTIVE',
  'ERROR_SHUTDOWN_IN_PROGRESS',
  'ERROR_TIMEOUT',
  'WAIT_TIMEOUT',
]);

/**
 * The service failed, so that the object may exist, or not, or in part: never the same as absent.
 * RPC failures, timeouts, and a service that is stopping, disabled or not started.
 */
export function isUnavailable(hresult: number): boolean {
  const [first, last] = [hresultOf('RPC_S_INVALID_STRING_BINDING'), hresultOf('RPC_S_SEC_PKG_ERROR')];
  return isServiceDown(hresult) || (hresult >= first && hresult <= last);
}

/** HNS or Windows reported a timeout or a busy server: the service is running, but slow. */
export const isTimeout = isOneOf([
  'ERROR_TIMEOUT',
  'WAIT_TIMEOUT',
  'RPC_S_SERVER_TOO_BUSY',
  'RPC_S_CALL_CANCELLED',
]);

/** The call did not reach the service and had no effect. */
export const isNotExecuted = isOneOf([
  'RPC_S_SERVER_UNAVAILABLE',
  'RPC_S_CALL_FAILED_DNE',
  'EPT_S_NOT_REGISTERED',
  'ERROR_SERVICE_DISABLED',
  'ERROR_SERVICE_NOT_ACTIVE',
]);

/**
 * The object was deleted, or HNS restarted, after it was opened. The call had no effect, and the object must be opened again. After a restart
 * RPC returns E_HANDLE, its RPC_X_SS_CONTEXT_MISMATCH (rpcnterr.h; that HNS passes it on is inferred).
 */
export const isStaleHandle = isOneOf(['HCN_E_OBJECT_USED_AFTER_UNLOAD', 'E_HANDLE']);
