// docs/errors.md, from the tables in src/ and from the code that turns any error into a CNI error.

import { meanings } from '../../src/cli/explain/code-meanings.ts';
import { cniCodeOf, cniCodeOfHresult } from '../../src/cli/explain/explain-code.ts';
import { code, renderError, toCniError } from '../../src/cni/error.ts';
import {
  HcnError,
  HcnInvalidResponse,
  HcnMissing,
  HcnTimeout,
  HcnUnavailable,
} from '../../src/hcn/errors.ts';
import { type Hresult, hresults, remedyFor } from '../../src/hcn/hresults.ts';
import { IpHelperError, IpHelperTimeout, windowsErrors } from '../../src/iphlpapi/windows-errors.ts';
import { table } from '../markdown-table.ts';

export function page(): string {
  return `${[
    '# Errors',
    '',
    'Made by `npm run errors` from the tables that the error messages come from; a test compares the two.',
    '',
    '## How to read one',
    '',
    'An error is one JSON object on stdout. `code` is one of the codes below. `msg` says what win-hcn was doing, to what, what',
    "HCN returned (symbol, HRESULT, Microsoft's text, and in double braces what HNS adds), and what to do next. `details` has further",
    "findings and HNS's own error record, whose `ErrorCode` is the HRESULT in decimal.",
    '',
    '```json',
    JSON.stringify(example, undefined, 2),
    '```',
    '',
    '## The codes',
    '',
    `Codes below 100 are the CNI specification's, and ${code.internal} is its library's. What an IPAM plugin says in an error object of its own`,
    "is passed on as it is, with that plugin's code: look it up there.",
    '',
    ...table(['code', 'means', 'what to do'], codeRows()),
    '',
    'Where HCN is not the one who says no:',
    '',
    ...table(['what happened', 'code'], otherRows()),
    '',
    '## HRESULTs',
    '',
    `- ${code.tryAgainLater}: the service did not do its work, and the call may have been carried out or not.`,
    `- ${code.hcnFailure}: HCN took the call and refused it. What the request had taken is given back, but a network that others may use by then;`,
    '  `details` names what could not be.',
    '- none: what is looked for or deleted is not there, which is no error. DEL succeeds, and ADD goes on; but a missing namespace',
    `  of the pod is code ${code.unknownContainer}, and a missing network with "createNetwork": "never" is code ${code.tryAgainLater}: others create it when the node starts.`,
    '',
    'After a refused create win-hcn looks for what is in the way: it uses the network that another request made, and an endpoint',
    `that works is code ${code.alreadyAttached}. Success with an error record is code ${cniCodeOf(new HcnError('', 0, '{"ErrorCode":2147500037}'))}. STATUS answers ${code.notAvailable} for`,
    `all of them; ${code.notAvailableAndDegraded} and the code of an IPAM plugin stay.`,
    '',
    "### HCN's own",
    '',
    ...table(hresultHead, hresultRows(true)),
    '',
    '### Those of Windows that HNS passes on',
    '',
    ...table(hresultHead, hresultRows(false)),
    '',
    `Every other HRESULT from ${hex(firstRpc)} to ${hex(lastRpc)} is one of RPC and is code ${cniCodeOf(new HcnError('', firstRpc, ''))}: ${remedyFor(firstRpc)}`,
    `One that is not here is code ${cniCodeOf(new HcnError('', unknown, ''))}: ${remedyFor(unknown)}`,
    '',
    '## Codes of the IP Helper',
    '',
    "What Windows says when win-hcn reads the node's adapters, or has them forward for a host endpoint.",
    '',
    ...table(['Windows', 'symbol', 'usual cause', 'what to do', 'code'], windowsRows()),
  ].join('\n')}\n`;
}

const firstRpc = 0x800706a4;
const lastRpc = 0x80070721;
const unknown = 0x80049999;

const invalidIp = 0x803b001e;

const example = renderError(
  toCniError(
    new HcnError(
      'creating endpoint "pod1_l2bridge_eth0" as 0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10',
      invalidIp,
      JSON.stringify({
        Success: false,
        Error: 'IP address is either invalid or not part of any configured subnet(s). ',
        ErrorCode: invalidIp,
      }),
    ),
  ),
  '1.0.0',
);

function codeRows(): readonly (readonly string[])[] {
  const names = Object.keys(code) as (keyof typeof code)[];
  return names.map((name) => [String(code[name]), meanings[name].means, meanings[name].remedy]);
}

function otherRows(): readonly (readonly string[])[] {
  const errors: readonly (readonly [string, Error])[] = [
    [
      'a call to HCN has no answer within `hcnTimeoutSeconds` (of STATUS within a second)',
      new HcnTimeout('HcnOpenNetwork', 30),
    ],
    ['HCN answers with what is no document of its kind', new HcnInvalidResponse('')],
    ['computenetwork.dll is missing, or this is not Windows', new HcnMissing('', undefined)],
    [
      'a library cannot be loaded, or the file beside win-hcn.exe not written',
      new HcnUnavailable('', undefined),
    ],
    [
      'a call to the IP Helper has no answer within `hcnTimeoutSeconds` (of STATUS within a second)',
      new IpHelperTimeout('', 30),
    ],
    ['win-hcn itself fails', new Error()],
  ];
  return errors.map(([happened, error]) => [happened, cniCodeOf(error)]);
}

const hresultHead = ['HRESULT', 'decimal', 'symbol', 'usual cause', 'what to do', 'code'];

function hresultRows(own: boolean): readonly (readonly string[])[] {
  return hresults
    .filter(({ hresult }) => isOwn(hresult) === own)
    .toSorted((a, b) => a.hresult - b.hresult)
    .flatMap((known) => [hresultRow(known), ...creationRows(known)]);
}

/** The same HRESULT where the call was to create an object, which refuses it. */
function creationRows({ hresult, symbol, creating }: Hresult): readonly (readonly string[])[] {
  if (creating?.Network === undefined) return [];
  const { cause, remedy } = creating.Network;
  const code = cniCodeOf(new HcnError('', hresult, '', 'Network'));
  return [[hex(hresult), String(hresult), `${symbol}, creating a network`, cause, remedy, code]];
}

function hresultRow({ hresult, symbol, cause, remedy }: Hresult): readonly string[] {
  return [hex(hresult), String(hresult), symbol, cause, remedy, cniCodeOfHresult(hresult)];
}

/** The facility of the Host Compute Network. */
function isOwn(hresult: number): boolean {
  return hresult >>> 16 === 0x803b;
}

function windowsRows(): readonly (readonly string[])[] {
  return windowsErrors.map(({ code, symbol, cause, remedy }) => [
    String(code),
    symbol,
    cause,
    remedy,
    cniCodeOf(new IpHelperError('', code)),
  ]);
}

function hex(hresult: number): string {
  return `0x${hresult.toString(16).padStart(8, '0')}`;
}
