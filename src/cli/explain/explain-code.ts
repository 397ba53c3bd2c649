import { code, toCniError } from '../../cni/error.ts';
import { HcnError } from '../../hcn/errors.ts';
import { findHresult, isNotFound, remedyFor } from '../../hcn/hresults.ts';
import { findWindowsError, IpHelperError } from '../../iphlpapi/windows-errors.ts';
import { meanings } from './code-meanings.ts';
import { endpointState } from './endpoint-states.ts';
import type { Code } from './find-codes.ts';

/** What a code means, and what to do. */
export interface Explanation {
  readonly kind: Code['kind'];
  /** HRESULTs in hex, other codes in decimal. */
  readonly code: string;
  /** Of an HRESULT: unsigned and signed. */
  readonly decimal?: readonly [number, number];
  readonly name?: string;
  readonly says?: string;
  readonly cause?: string;
  readonly next: string;
  /** Its meaning if HCN returns it for creating a network. */
  readonly creatingNetwork?: { readonly cause: string; readonly next: string };
  /** The code of the CNI error that reports it. */
  readonly cniCode?: string;
}

/** Explains a code; of an unknown one, only where to look it up. */
export function explainCode({ kind, value }: Code): Explanation {
  switch (kind) {
    case 'HRESULT': {
      const row = findHresult(value);
      const creation = row?.creating?.Network;
      return {
        kind,
        code: `0x${value.toString(16)}`,
        decimal: [value, value - 2 ** 32],
        ...(row && { name: row.symbol, says: row.text, cause: row.cause }),
        next: row === undefined ? `${remedyFor(value)}${netHelpMsg(value)}` : row.remedy,
        ...(creation && { creatingNetwork: { cause: creation.cause, next: creation.remedy } }),
        cniCode: cniCodeOfHresult(value),
      };
    }
    case 'Windows code': {
      const row = findWindowsError(value);
      return {
        kind,
        code: String(value),
        ...(row && { name: row.symbol, cause: row.cause, cniCode: cniCodeOf(new IpHelperError('', value)) }),
        next: row?.remedy ?? `Look it up: net helpmsg ${value}.`,
      };
    }
    case 'endpoint state':
      return { kind, code: String(value), next: '', ...endpointState(value) };
    case 'CNI code': {
      const names = Object.keys(code) as (keyof typeof code)[];
      const name = names.find((candidate) => code[candidate] === value);
      return {
        kind,
        code: String(value),
        ...(name && { says: meanings[name].means }),
        next: name === undefined ? foreignCode : meanings[name].remedy,
      };
    }
  }
}

const foreignCode =
  'win-hcn does not use it: the IPAM plugin or another plugin in the list does. See the documentation of that plugin.';

/** Whether the code has a known meaning. */
export function isKnown({ name, says }: Explanation): boolean {
  return name !== undefined || says !== undefined;
}

/** The command that names a Windows error code, if the HRESULT contains one (FACILITY_WIN32). */
function netHelpMsg(hresult: number): string {
  return hresult >>> 16 === 0x8007 ? ` Look it up: net helpmsg ${hresult & 0xffff}.` : '';
}

/** The code of the CNI error that an error becomes. */
export function cniCodeOf(error: Error): string {
  return String(toCniError(error).code);
}

/** The code of the CNI error that an HRESULT becomes: `none` if it only says that an object to find or delete does not exist. */
export function cniCodeOfHresult(hresult: number): string {
  const other = cniCodeOf(new HcnError('', hresult, ''));
  return isNotFound(hresult) ? `none, or ${other}` : other;
}
