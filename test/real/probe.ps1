#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Runs win-hcn debug probe and saves its report.
.DESCRIPTION
A claim that does not hold is a result, not a failure. Fails if probe cannot run or HNS does not respond.
.PARAMETER Adapter
Also runs the experiments that need an adapter. The adapter's connections are interrupted: use the loopback adapter.
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
$arguments = @('debug', 'probe', '--yes', '-o', 'json')
if ($Adapter) { $arguments += '--adapter', $Adapter }
$result = Invoke-Program -Path $Executable -Arguments $arguments -Expected 0, 1, 2, 3 -Seconds 1500
Write-Text -Path $Report -Text $result.Output
Write-Host $result.Errors
# probe also exits with 1 if it refuses to start.
if ($result.ExitCode -gt 1 -or $result.Output -notmatch '^\s*\{') {
    throw "probe ended with exit code $($result.ExitCode) and printed: $($result.Output)"
}
# Not parsed: documents of HCN can have keys that ConvertFrom-Json refuses.
if ($result.Output -notmatch '"remaining": \[\]') { throw "probe did not delete everything: see remaining in $Report" }
if ($result.Output -notmatch '"verdict": "(holds|does not hold)"') { throw "probe tried no row: see $Report" }
Write-Host "probe ended with exit code $($result.ExitCode); its report is $Report"
exit 0
