import { code } from '../../cni/error.ts';
import { findCreationHresult, findHresult, remedyFor } from '../../hcn/hresults.ts';
import { IpHelperError } from '../../iphlpapi/errors.ts';
import { findWindowsError } from '../../iphlpapi/windows-errors.ts';
import { meanings } from './code-meanings.ts';
import type { Code } from './find-codes.ts';
import { codeOf, outcomeOf } from './outcome.ts';

/** What is known about a code; absent members are not known. */
export interface Explanation {
  readonly kind: Code['kind'];
  /** As people write it: HRESULTs in hex. */
  readonly code: string;
  /** HRESULTs in decimal, unsigned and signed. */
  readonly decimal?: readonly [number, number];
  readonly name?: string;
  readonly says?: string;
  readonly cause?: string;
  readonly next: string;
  /** What it means if HCN refused to create a network. */
  readonly creatingNetwork?: { readonly cause: string; readonly next: string };
  /** The code of the CNI error it becomes. */
  readonly cniCode?: string;
}

export function explainCode({ kind, value }: Code): Explanation {
  switch (kind) {
    case 'HRESULT': {
      const row = findHresult(value);
      const creation = findCreationHresult(value, 'Network');
      return {
        kind,
        code: `0x${value.toString(16)}`,
        decimal: [value, value - 2 ** 32],
        ...(row && { name: row.symbol, says: row.text, cause: row.cause }),
        next: row === undefined ? `${remedyFor(value)}${helpOfWindows(value)}` : row.remedy,
        ...(creation && { creatingNetwork: { cause: creation.cause, next: creation.remedy } }),
        cniCode: outcomeOf(value),
      };
    }
    case 'Windows code': {
      const row = findWindowsError(value);
      return {
        kind,
        code: String(value),
        ...(row && { name: row.symbol, cause: row.cause, cniCode: codeOf(new IpHelperError('', value)) }),
        next: row?.remedy ?? `Windows may have a name for it: net helpmsg ${value}.`,
      };
    }
    case 'CNI code': {
      const names = Object.keys(code) as (keyof typeof code)[];
      const name = names.find((candidate) => code[candidate] === value);
      const foreign = 'It is no code of win-hcn: the IPAM plugin or another plugin of the list gave it.';
      return {
        kind,
        code: String(value),
        ...(name && { says: meanings[name].means }),
        next: name === undefined ? `${foreign} Look it up there.` : meanings[name].remedy,
      };
    }
  }
}

/** Whether there is more to say of it than where to look. */
export function isKnown({ name, says }: Explanation): boolean {
  return name !== undefined || says !== undefined;
}

/** Windows has a command that knows the codes HRESULTs of its own facility are made of. */
function helpOfWindows(hresult: number): string {
  return hresult >>> 16 === 0x8007 ? ` Windows may have a name for it: net helpmsg ${hresult & 0xffff}.` : '';
}
