#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Runs win-hcn probe and saves its report.
.DESCRIPTION
A row that does not hold is a result and no failure. Fails if probe cannot run or HNS does not respond.
.PARAMETER Adapter
Also tries what needs an adapter and a NAT network. The adapter loses its connections: use the loopback adapter.
.PARAMETER Report
The file for the report, as JSON.
.PARAMETER Executable
The win-hcn.exe to run. Default: dist\win-hcn.exe.
#>
[CmdletBinding()]
param(
    [string] $Adapter,
    [Parameter(Mandatory)] [string] $Report,
    [string] $Executable = (Join-Path $PSScriptRoot '..\..\dist\win-hcn.exe')
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$arguments = @('probe', '-o', 'json')
if ($Adapter) { $arguments += '--adapter', $Adapter, '--yes', '--nat' }
$result = Invoke-Program -Path $Executable -Arguments $arguments -Expected 0, 1, 2, 3 -Seconds 1800
Write-Text -Path $Report -Text $result.Output
Write-Host $result.Errors
# Exit code 1 is also that of a probe that was not allowed to start.
if ($result.ExitCode -gt 1 -or $result.Output -notmatch '^\s*\{') {
    throw "probe ended with exit code $($result.ExitCode) and printed: $($result.Output)"
}
Write-Host "probe ended with exit code $($result.ExitCode); its report is $Report"
exit 0
