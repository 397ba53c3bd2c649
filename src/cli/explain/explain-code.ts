import { code } from '../../cni/error.ts';
import { everyHresult, findHresult, hex, isFailure, isUnavailable, remedyFor } from '../../hcn/hresults.ts';
import { findWindowsError, ipHelperRemedy, windowsErrors } from '../../iphlpapi/windows-errors.ts';
import { stateName } from '../../model/readiness.ts';
import { endpointStates, meanings } from './code-meanings.ts';

/** An error code; HRESULTs are unsigned. */
export interface Code {
  readonly kind: 'HRESULT' | 'CNI code' | 'Windows code' | 'endpoint state';
  readonly value: number;
}

/** What a code means, and what to do. */
export interface Explanation {
  readonly kind: Code['kind'];
  /** HRESULTs in hex, other codes in decimal. */
  readonly code: string;
  readonly name?: string;
  readonly message?: string;
  readonly cause?: string;
  readonly fix: string;
}

/** Explains a code; of an unknown one, only where to look it up. */
export function explainCode({ kind, value }: Code): Explanation {
  if (kind === 'CNI code') {
    const [name] = Object.entries<number>(code).find(([, known]) => known === value) ?? [];
    const [, meaning] = Object.entries(meanings).find(([known]) => known === name) ?? [];
    return { kind, code: String(value), ...(meaning ?? { fix: foreignCode }) };
  }
  if (kind === 'Windows code') {
    const row = findWindowsError(value);
    const known = row && { name: row.symbol, cause: row.cause, fix: ipHelperRemedy };
    return { kind, code: String(value), ...(known ?? { fix: `Look it up: net helpmsg ${value}.` }) };
  }
  if (kind === 'endpoint state') {
    const meaning = endpointStates[value] ?? { fix: '' };
    return { kind, code: String(value), name: stateName({ State: value }), ...meaning };
  }
  const row = findHresult(value);
  // FACILITY_WIN32: the lower half is a Windows error code.
  const lookUp = value >>> 16 === 0x8007 ? ` Look it up: net helpmsg ${value & 0xffff}.` : '';
  return {
    kind,
    code: hex(value),
    ...(row && { name: row.symbol, message: row.text, cause: row.cause }),
    fix: row?.remedy ?? `${remedyFor(value)}${lookUp}`,
  };
}

const foreignCode =
  'win-hcn does not use it: the IPAM plugin or another plugin in the list does. See the documentation of that plugin.';

/** Whether the code has a known meaning. */
export function isKnown({ name, message }: Explanation): boolean {
  return name !== undefined || message !== undefined;
}

/**
 * The codes that a single number or symbol can stand for, at least one for a 32-bit number; of a longer text the known codes in it, in
 * order, without duplicates, or those whose Windows message it contains.
 */
export function findCodes(text: string): readonly Code[] {
  const word = text.trim();
  const digits = /^(?=.*[a-f])[0-9a-f]{8}$/i.test(word) ? `0x${word}` : word;
  if (/^(?:0x[0-9a-f]{1,8}|-?\d{1,10})$/i.test(digits)) return ofNumber(digits);
  const state = endpointStates.findIndex(
    (_, at) => stateName({ State: at }).toLowerCase() === word.toLowerCase(),
  );
  if (state >= 0) return [{ kind: 'endpoint state', value: state }];
  const searched = /^\w+$/.test(word) ? word.toUpperCase() : text;
  const found = patterns
    .flatMap((pattern) => [...searched.matchAll(pattern)])
    .toSorted((one, other) => one.index - other.index)
    .flatMap(({ groups = {} }) => {
      const { number, symbol, cni, state } = groups;
      if (state !== undefined)
        return [{ kind: 'endpoint state', value: Number(state) } as const].filter(isListed);
      if (cni !== undefined) return [{ kind: 'CNI code', value: Number(cni) } as const];
      if (symbol !== undefined) return ofSymbol(symbol);
      return number === undefined ? [] : ofNumber(number, false).filter(isListed);
    });
  const listed = found.length > 0 ? found : ofMessage(text);
  const failures = text.match(/\b0x[89a-f][0-9a-f]{7}\b/gi) ?? [];
  const codes = listed.length > 0 ? listed : failures.flatMap((number) => ofNumber(number));
  return [...new Map(codes.map((one) => [`${one.kind} ${one.value}`, one])).values()];
}

// Logs escape the quotes of an error object. STATE is the state of a service in the output of sc.exe.
const patterns = [
  /\b[Ss]tate\\{0,4}"? {0,40}(?:[:=] {0,2})?(?<state>\d{1,3})(?![\w.])/g,
  /(?<number>\b0x[0-9a-f]{1,8}\b|(?<![\w.-])-?\d{9,10}(?![\w.]))/gi,
  /\b(?<symbol>[A-Z][A-Z0-9_]+)\b/g,
  /"code\\*"\s*:\s*(?<cni>\d+)/g,
];

/** The meanings of a number as text; of a small one with `isCode` also that of a CNI error. None if it has more than 32 bits. */
function ofNumber(digits: string, isCode = !/x/i.test(digits)): readonly Code[] {
  const number = Number(digits);
  if (number < -(2 ** 31) || number >= 2 ** 32) return [];
  const value = number < 0 ? number + 2 ** 32 : number;
  if (isFailure(value)) return [{ kind: 'HRESULT', value }];
  const windows: readonly Code[] = [
    { kind: 'Windows code', value },
    { kind: 'HRESULT', value: 0x80070000 + value },
  ];
  const all: readonly Code[] = [{ kind: 'CNI code', value }, ...windows, { kind: 'endpoint state', value }];
  const possible = (isCode ? all : windows).filter(isListed);
  return possible.length > 0 ? possible : [{ kind: isCode ? 'CNI code' : 'Windows code', value }];
}

/** Other numbers in a text can be counts or addresses. */
function isListed({ kind, value }: Code): boolean {
  const hcnFacility = 0x803b;
  if (kind === 'CNI code') return Object.values<number>(code).includes(value);
  if (kind === 'Windows code') return findWindowsError(value) !== undefined;
  if (kind === 'endpoint state') return value < endpointStates.length;
  return value >>> 16 === hcnFacility || isUnavailable(value) || findHresult(value) !== undefined;
}

/** The codes with a symbol. */
function ofSymbol(symbol: string): readonly Code[] {
  const rows = windowsErrors.filter((row) => row.symbol === symbol);
  return [
    ...ofRows((row) => row.symbol === symbol),
    ...rows.map(({ code: value }) => ({ kind: 'Windows code', value }) as const),
  ];
}

/** The HRESULTs whose Windows message a text contains. */
function ofMessage(text: string): readonly Code[] {
  const lower = text.toLowerCase();
  return ofRows((row) => lower.includes(row.text.toLowerCase()));
}

function ofRows(isWanted: (row: ReturnType<typeof everyHresult>[number]) => boolean): readonly Code[] {
  return everyHresult()
    .filter(isWanted)
    .map(({ hresult: value }) => ({ kind: 'HRESULT', value }));
}
