/** The word by which the script asks for candidates: no command that anybody types. */
export const askingWord = '__complete';

/**
 * Asks win-hcn itself, so that it need not be renewed with it. The word under the cursor comes first, behind a `=`: Windows PowerShell
 * passes no empty arguments on. Without a candidate PowerShell completes file names.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/register-argumentcompleter
 */
export const powershellScript = `# Completes command lines of win-hcn with Tab. Made by: win-hcn completion powershell
Register-ArgumentCompleter -Native -CommandName 'win-hcn', 'win-hcn.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text.Trim('"', "'") })
    $exitCode = $global:LASTEXITCODE
    & $commandAst.GetCommandName() ${askingWord} "=$wordToComplete" @before 2>$null | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        $text = if ($word -match '^[\\w.:/-]+$') { $word } else { "'" + $word.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
    }
    $global:LASTEXITCODE = $exitCode
}`;
