import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { type Printed, printedObject } from './printed.ts';

/** How long one script may take. PowerShell itself needs seconds to start on a busy node. */
const seconds = 15;

/** What a script finds out that prints one JSON object, or ends with what it cannot do. Never rejects. */
export async function ask<T>(
  { powershell }: Terminal,
  script: string,
  read: (printed: Printed) => T,
): Promise<Fact<T>> {
  const ended = await powershell(`$ErrorActionPreference = 'Stop'\n${script}`, seconds);
  if ('problem' in ended) return { unknown: ended.problem };
  try {
    return { known: read(printedObject(JSON.parse(ended.stdout.trim()))) };
  } catch {
    const said = ended.stdout.trim().split(/\r?\n/)[0]?.slice(0, 60) || 'nothing';
    return { unknown: `PowerShell printed what nobody asked for: ${said}` };
  }
}
