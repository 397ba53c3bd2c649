import { Argument, type Command } from 'commander';
import { newCommand } from '../new-command.ts';
import type { Session } from '../session.ts';

/** The hidden command that the PowerShell script runs to get candidates. */
export const completeCommandName = '__complete';

/** `completion`: prints a shell's completion script. */
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

/**
 * Runs win-hcn for the candidates, so a new version needs no new script. The word under the cursor is the first argument, after a `=`
 * because Windows PowerShell does not pass empty arguments. Without candidates PowerShell completes file names.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/register-argumentcompleter
 */
const powershellScript = `# Completes command lines of win-hcn with Tab. Made by: win-hcn completion powershell
Register-ArgumentCompleter -Native -CommandName 'win-hcn', 'win-hcn.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text.Trim('"', "'") })
    $exitCode = $global:LASTEXITCODE
    & $commandAst.GetCommandName() ${completeCommandName} "=$wordToComplete" @before 2>$null | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        $text = if ($word -match '^[\\w.:/-]+$') { $word } else { "'" + $word.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
    }
    $global:LASTEXITCODE = $exitCode
}`;
