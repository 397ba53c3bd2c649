#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Fails if pods, endpoints, namespaces, load balancers or processes are left over, or if gc or doctor report leftovers.
.DESCRIPTION
Compares HCN's objects with the snapshot of prepare-node.ps1. The network and its host endpoint stay until prepare-node.ps1 -Remove.
.PARAMETER Network
The conflist of test/real/conflists.
.PARAMETER Report
The file for doctor's report, as JSON.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network,
    [Parameter(Mandatory)] [string] $Report
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'pods', 'network') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$node = Get-TestNode
$conflist = Use-Conflist -Network $Network
$left = @(Get-PodId | ForEach-Object { "pod $_" })

$before = Get-Content -Raw $node.Before | ConvertFrom-Json
$now = Get-HcnObject
foreach ($kind in 'endpoints', 'namespaces', 'services') {
    $known = @($before.$kind | ForEach-Object { $_.id })
    # The node's own endpoint stays with its network.
    $new = @($now.$kind | Where-Object { $known -notcontains $_.id -and -not ($kind -eq 'endpoints' -and $_.owner -eq 'node') })
    $left += @($new | ForEach-Object { "${kind}: $($_ | ConvertTo-Json -Compress -Depth 5)" })
}
$left += @(Get-Process -Name 'win-hcn' -ErrorAction SilentlyContinue |
    Where-Object { try { $_.Path -eq $node.Plugin } catch { $false } } |
    ForEach-Object { "process $($_.Id)" })

$gc = Invoke-Program -Path $node.Plugin -Arguments 'gc', '--network', $conflist.Name -Expected 0, 1
if ($gc.ExitCode -ne 0) { $left += "gc: $($gc.Output)$($gc.Errors)" }

# This node may have other problems: they are shown, and do not fail the test.
$doctor = Invoke-Program -Path $node.Plugin -Arguments 'doctor', '--conf', $conflist.Path, '-o', 'json' -Expected 0, 1
Write-Text -Path $Report -Text $doctor.Output
foreach ($finding in ($doctor.Output | ConvertFrom-Json).findings) {
    if ($finding.verdict -eq 'PASS') { continue }
    $line = "doctor: $($finding.verdict) $($finding.check): $($finding.seen)"
    if ('leftover endpoints', 'endpoint health', 'addresses' -contains $finding.check) { $left += $line } else { Write-Warning $line }
}

if ($left.Count -gt 0) { throw "leftovers of the tests:`n$($left -join "`n")" }
Write-Host "no leftovers on network $($conflist.Name)"
exit 0
