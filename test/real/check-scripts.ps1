#Requires -Version 5.1
<#
.SYNOPSIS
Parses every script of test/real with PowerShell's own parser, and runs PSScriptAnalyzer if it is installed.
.DESCRIPTION
On systems without PowerShell, test/unit/powershell does the same with another grammar.
#>
[CmdletBinding()]
param()
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

$problems = @()
$files = @(Get-ChildItem -Path $PSScriptRoot -Include '*.ps1', '*.psm1', '*.psd1' -Recurse)
if ($files.Count -eq 0) { throw "no scripts in $PSScriptRoot" }
foreach ($file in $files) {
    $errors = $null
    $null = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref] $null, [ref] $errors)
    $problems += @($errors | ForEach-Object { "$($file.Name):$($_.Extent.StartLineNumber): $($_.Message)" })
}
if ($problems.Count -gt 0) { throw ($problems -join "`n") }
Write-Host "$($files.Count) scripts parse"

# Its rules are advice: only errors fail.
if (Get-Module -ListAvailable -Name PSScriptAnalyzer) {
    $found = @(Invoke-ScriptAnalyzer -Path $PSScriptRoot -Recurse -ErrorAction Continue)
    $found | Format-Table -AutoSize -Wrap | Out-Host
    if (@($found | Where-Object { $_.Severity -in 'Error', 'ParseError' }).Count -gt 0) { throw 'PSScriptAnalyzer found errors' }
}
exit 0
