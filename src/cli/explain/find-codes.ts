import { code } from '../../cni/error.ts';
import { everyHresult, findHresult, isFailure, isUnavailable } from '../../hcn/hresults.ts';
import { findWindowsError, windowsErrors } from '../../iphlpapi/windows-errors.ts';
import { endpointState } from './endpoint-states.ts';

/** An error code; HRESULTs are unsigned. */
export interface Code {
  readonly kind: 'HRESULT' | 'CNI code' | 'Windows code' | 'endpoint state';
  readonly value: number;
}

/** The codes that a single number or symbol can stand for; at least one for a 32-bit number. */
export function readCode(word: string): readonly Code[] {
  const hex = /^0x([0-9a-f]{1,8})$/i.exec(word) ?? /^(?=.*[a-f])([0-9a-f]{8})$/i.exec(word);
  if (hex !== null) return ofNumber(Number.parseInt(hex[1] ?? '', 16), false);
  if (/^-?\d{1,10}$/.test(word) && is32Bit(Number(word))) return ofNumber(Number(word), true);
  return ofSymbol(word.toUpperCase());
}

/** The codes in a text, in order, without duplicates. If there are none, those whose Windows message the text contains. */
export function findCodes(text: string): readonly Code[] {
  const found = finders.flatMap(({ pattern, read }) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      read(match[1] ?? match[0]).map((code) => ({ code, at: match.index })),
    ),
  );
  const codes = found.toSorted((a, b) => a.at - b.at).map((one) => one.code);
  return unique(codes.length > 0 ? codes : ofMessages(text));
}

const finders: readonly { readonly pattern: RegExp; readonly read: (text: string) => readonly Code[] }[] = [
  { pattern: /\b0x[0-9a-f]{1,8}\b/gi, read: (hex) => knownCodes(ofNumber(Number.parseInt(hex, 16), false)) },
  {
    pattern: /(?<![\w.-])-?\d{9,10}(?![\w.])/g,
    read: (digits) => (is32Bit(Number(digits)) ? knownCodes(ofNumber(Number(digits), false)) : []),
  },
  { pattern: /\b[A-Z][A-Z0-9_]+\b/g, read: ofSymbol },
  // Logs escape the quotes of an error object.
  {
    // Not STATE, which is the state of a service in the output of sc.exe.
    pattern: /\bState\\{0,4}"? {0,40}(?:[:=] {0,2})?(\d{1,3})(?![\w.])/g,
    read: (digits) => knownCodes([{ kind: 'endpoint state', value: Number(digits) }]),
  },
  { pattern: /"code\\*"\s*:\s*(\d+)/g, read: (digits) => [{ kind: 'CNI code', value: Number(digits) }] },
];

/** Whether a number fits in 32 bits, signed or unsigned. */
function is32Bit(number: number): boolean {
  return -(2 ** 31) <= number && number < 2 ** 32;
}

function ofNumber(number: number, decimal: boolean): readonly Code[] {
  const value = number < 0 ? number + 2 ** 32 : number;
  if (isFailure(value)) return [{ kind: 'HRESULT', value }];
  const fromWindows = 0x80070000 + value;
  const codes: Code[] = [];
  if (decimal && Object.values<number>(code).includes(value)) codes.push({ kind: 'CNI code', value });
  if (findWindowsError(value) !== undefined) codes.push({ kind: 'Windows code', value });
  if (findHresult(fromWindows) !== undefined) codes.push({ kind: 'HRESULT', value: fromWindows });
  return codes.length > 0 ? codes : [{ kind: decimal ? 'CNI code' : 'Windows code', value }];
}

/** The codes with a known meaning: other numbers in a text can be counts or addresses. */
function knownCodes(codes: readonly Code[]): readonly Code[] {
  const hcnFacility = 0x803b;
  const isKnown = ({ kind, value }: Code): boolean => {
    if (kind === 'endpoint state') return endpointState(value) !== undefined;
    if (kind === 'Windows code') return findWindowsError(value) !== undefined;
    return value >>> 16 === hcnFacility || isUnavailable(value) || findHresult(value) !== undefined;
  };
  return codes.filter(isKnown);
}

function ofSymbol(symbol: string): readonly Code[] {
  return [
    ...everyHresult()
      .filter((row) => row.symbol === symbol)
      .map(({ hresult: value }) => ({ kind: 'HRESULT', value }) as const),
    ...windowsErrors
      .filter((row) => row.symbol === symbol)
      .map(({ code: value }) => ({ kind: 'Windows code', value }) as const),
  ];
}

/** The HRESULTs whose Windows message a text contains. */
function ofMessages(text: string): readonly Code[] {
  const lower = text.toLowerCase();
  return everyHresult()
    .filter((row) => lower.includes(row.text.toLowerCase()))
    .map(({ hresult: value }) => ({ kind: 'HRESULT', value }));
}

function unique(codes: readonly Code[]): readonly Code[] {
  return [...new Map(codes.map((code) => [`${code.kind} ${code.value}`, code])).values()];
}
