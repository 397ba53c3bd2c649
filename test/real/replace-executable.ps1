#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Replaces win-hcn.exe every second while pods start, as README describes an upgrade: rename the old one, then copy the new one.
.DESCRIPTION
For a moment there is no win-hcn.exe. A pod that starts then is retried, as kubelet does.
.PARAMETER Network
The conflist of test/real/conflists.
.PARAMETER Count
The number of pods.
.PARAMETER Report
The file for the times of each pod, as JSON.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network,
    [int] $Count = 10,
    [Parameter(Mandatory)] [string] $Report
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$node = Get-TestNode
$new = Join-Path $node.PluginFolder 'new.exe'
$log = "$Report.log"

$script = Join-Path $PSScriptRoot 'run-pods.ps1'
$arguments = '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', $script, '-Network', $Network, '-Count', $Count, '-Tries', '3', '-Report', $Report
$pods = Start-Program -Path 'powershell.exe' -Arguments $arguments -Output $log -Errors "$log.errors"
$replacements = 0
try {
    while (-not $pods.HasExited) {
        Copy-Item -LiteralPath $node.Plugin -Destination $new
        # A scanner may hold a new file for a moment.
        foreach ($rename in @{ From = $node.Plugin; To = "old-$replacements.exe" }, @{ From = $new; To = 'win-hcn.exe' }) {
            Wait-Until -What "another name for $($rename.From)" -Test {
                Rename-Item -LiteralPath $rename.From -NewName $rename.To -ErrorAction SilentlyContinue
                -not (Test-Path -LiteralPath $rename.From)
            }
        }
        $replacements++
        Start-Sleep -Seconds 1
    }
}
finally {
    if (-not (Test-Path -LiteralPath $node.Plugin)) {
        Get-Item (Join-Path $node.PluginFolder 'old-*.exe') | Select-Object -Last 1 | Copy-Item -Destination $node.Plugin
    }
    if (-not $pods.WaitForExit(600000)) { Stop-Process -Id $pods.Id -Force }
    Get-Content $log, "$log.errors" | Write-Host
}
if ($pods.ExitCode -ne 0) { throw "run-pods.ps1 ended with exit code $($pods.ExitCode)" }
# A copy that still runs cannot be deleted.
Remove-Item -Path (Join-Path $node.PluginFolder 'old-*.exe')
$left = @(Get-ChildItem $node.PluginFolder | Where-Object { $_.Name -notmatch '^win-hcn(\.exe|-koffi-[0-9a-f]{16}\.node)$' })
if ($left.Count -gt 0) { throw "left in the plugin folder: $left" }
Write-Host "replaced win-hcn.exe $replacements times while $Count pods started"
exit 0
