import { expect, test } from 'vitest';
import { windowsParts } from '../../../src/cli/collect/windows.ts';
import { windowsQueries } from '../../../src/cli/doctor/windows-state.ts';
import { readWindows } from '../../../src/cli/probe/node.ts';
import type { ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import { terminal } from '../../../src/cli/terminal/terminal.ts';
import { syntaxProblems } from './parse.ts';

/** What a call sends to PowerShell. */
async function sentBy(call: (outside: typeof terminal) => Promise<unknown>): Promise<string> {
  let sent = '';
  const powershell = async (script: string): Promise<ScriptResult> => {
    sent = script;
    return { stdout: '{}' };
  };
  await call({ ...terminal, powershell });
  return sent;
}

test.each(Object.keys(windowsQueries))("doctor's query %s sends a script that parses", async (name) => {
  const query = Object.entries(windowsQueries).find(([key]) => key === name)?.[1];
  const script = query?.script ?? '';
  expect(script).toContain('ConvertTo-Json');
  expect(syntaxProblems(script)).toEqual([]);
});

test("probe's query of Windows sends a script that parses", async () => {
  const script = await sentBy((outside) => readWindows(outside));
  expect(script).toContain('ProductName');
  expect(syntaxProblems(script)).toEqual([]);
});

/** The grammar lacks lists of words without quotes, such as `Format-Table Name, Status`. */
function withQuotedLists(script: string): string {
  return script.replaceAll(/(?<= )\w+(?=,)|(?<=, ?)\w+/g, "'$&'");
}

test.each(windowsParts(terminal).map(({ name }) => name))(
  "collect's part %s sends a script that parses",
  async (name) => {
    const script = await sentBy(async (outside) =>
      windowsParts(outside)
        .find((part) => part.name === name)
        ?.collect(),
    );
    expect(script).toContain('Out-String');
    expect(syntaxProblems(withQuotedLists(script))).toEqual([]);
  },
);
