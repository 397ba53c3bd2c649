import { type JsonFormat, type Members, readMembers } from '../../../json/members.ts';
import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';

/** How long one script may take. PowerShell itself needs seconds to start on a busy node. */
const seconds = 15;

/** What a script finds out that prints one JSON object, or ends with what it cannot do. Never rejects. */
export async function ask<T>(
  { powershell }: Terminal,
  script: string,
  read: (printed: Members) => T,
): Promise<Fact<T>> {
  const ended = await powershell(`$ErrorActionPreference = 'Stop'\n${script}`, seconds);
  if ('problem' in ended) return { unknown: ended.problem };
  try {
    return { known: read(readMembers(JSON.parse(ended.stdout.trim()), '', printedJson)) };
  } catch {
    const said = ended.stdout.trim().split(/\r?\n/)[0]?.slice(0, 60) || 'nothing';
    return { unknown: `PowerShell printed what nobody asked for: ${said}` };
  }
}

const printedJson: JsonFormat = {
  refuse: (path, _, expected) => new TypeError(`${path} is not ${expected}`),
};
