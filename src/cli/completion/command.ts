import { Argument, type Command } from 'commander';
import { newCommand } from '../new-command.ts';
import type { Session } from '../session.ts';
import { powershellScript } from './powershell-script.ts';

/** `completion`: what makes a shell complete command lines of win-hcn. */
export function completionCommand(session: Session): Command {
  return newCommand('completion', session, {
    summary: 'the script that makes PowerShell complete commands, options and names with Tab',
    description:
      'Prints a script for Windows PowerShell 5.1 and later. It completes commands and options, and the ids, names and addresses of what ' +
      'HCN has, where that is known within a second. The first example is for this session. The others put the same line into the profile, ' +
      'for every session to come; write the full path there where win-hcn is in no folder of $env:Path.',
    examples: [
      'win-hcn completion powershell | Out-String | Invoke-Expression',
      'if (-not (Test-Path $PROFILE)) { New-Item -Force -ItemType File $PROFILE }',
      "Add-Content $PROFILE 'win-hcn completion powershell | Out-String | Invoke-Expression'",
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(['powershell']))
    .action(() => session.print(powershellScript));
}
