import { errorMessage } from '../../cni/error.ts';
import { type JsonFormat, type Members, parseJson, readMembers } from '../../json/members.ts';
import type { ScriptResult } from './run-program.ts';

/** A value read from the node, or the reason why it is not available. */
export type Fact<T> = { readonly value: T } | { readonly error: string };

/** The result of work as a fact; never rejects. */
export async function factFrom<T>(work: Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

/** A PowerShell script that prints one JSON object, and how to read that object. `read` throws if a member is missing or mistyped. */
export interface Query<T> {
  readonly script: string;
  readonly read: (output: Members) => T;
}

/** PowerShell alone takes seconds to start on a busy node. */
const timeoutSeconds = 15;

/** Runs a script and kills it after `seconds`. Never rejects. */
export interface PowerShell {
  powershell(script: string, seconds: number): Promise<ScriptResult>;
}

/** Returns what a query reads. Never rejects. */
export async function runQuery<T>({ powershell }: PowerShell, { script, read }: Query<T>): Promise<Fact<T>> {
  const result = await powershell(`$ErrorActionPreference = 'Stop'\n${script}`, timeoutSeconds);
  if ('problem' in result) return { error: result.problem };
  try {
    return { value: read(readMembers(parseJson(result.stdout.trim()), '', outputFormat)) };
  } catch {
    const [line = ''] = result.stdout.trim().split(/\r?\n/);
    const shown = line.length > most ? `${line.slice(0, most).trimEnd()}...` : line || 'nothing';
    return { error: `PowerShell printed unexpected output: ${shown}` };
  }
}

/** The characters of unexpected output that an error has. */
const most = 60;

const outputFormat: JsonFormat = {
  refuse: (path, _, expected) => new TypeError(`${path} is not ${expected}`),
};

/** Quotes a text as one argument of a PowerShell command, if it needs quotes. */
export function quote(text: string): string {
  return /^(?!-)[\w:\\/.-]+$/.test(text) ? text : quoteAlways(text);
}

/** Quotes a text as a PowerShell string. Typographic single quotes end a string as straight ones do, so they are doubled as well. */
export function quoteAlways(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}
