#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Runs all tests on this node, saves the evidence, and removes everything that it installed.
.DESCRIPTION
test/real/README.md lists what this disturbs.
.PARAMETER Count
The number of pods on each network.
.PARAMETER Folder
The folder for reports and evidence. Default: build\real.
#>
[CmdletBinding()]
param(
    [int] $Count = 50,
    [string] $Folder = (Join-Path $PSScriptRoot '..\..\build\real')
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

$null = New-Item -ItemType Directory -Force -Path $Folder
$Folder = (Resolve-Path $Folder).Path
$adapter = (Import-PowerShellDataFile (Join-Path $PSScriptRoot 'settings.psd1')).Name
$failures = @()

function Invoke-Test {
    <#
    .SYNOPSIS
    Runs a script of this folder. Records a failure and continues.
    #>
    [CmdletBinding()]
    param([string] $Name, [hashtable] $Arguments = @{})
    Write-Host "== $Name $($Arguments.Values)"
    try {
        & (Join-Path $PSScriptRoot "$Name.ps1") @Arguments | Out-Host
    }
    catch {
        Write-Warning "${Name}: $_"
        $script:failures += "$Name $($Arguments.Values): $_"
    }
}

Invoke-Test -Name 'probe' -Arguments @{ Report = "$Folder\probe.json" }
& (Join-Path $PSScriptRoot 'loopback-adapter.ps1')
try {
    Invoke-Test -Name 'probe' -Arguments @{ Adapter = $adapter; Report = "$Folder\probe-adapter.json" }
    # The adapter may have lost its address with the networks of probe, which accepts no adapter with a gateway.
    & (Join-Path $PSScriptRoot 'loopback-adapter.ps1') -Gateway
    & (Join-Path $PSScriptRoot 'prepare-node.ps1')
    try {
        foreach ($network in 'l2bridge', 'nat') {
            Invoke-Test -Name 'run-pods' -Arguments @{ Network = $network; Count = $Count; Report = "$Folder\pods-$network.json" }
            Invoke-Test -Name 'run-pods' -Arguments @{ Network = $network; Count = 5; DeleteWhileRunning = $true; Report = "$Folder\del-$network.json" }
            Invoke-Test -Name 'interrupt-plugin' -Arguments @{ Network = $network }
            Invoke-Test -Name 'replace-executable' -Arguments @{ Network = $network; Report = "$Folder\replace-$network.json" }
            Invoke-Test -Name 'assert-clean' -Arguments @{ Network = $network; Report = "$Folder\doctor-$network.json" }
        }
    }
    finally {
        Invoke-Test -Name 'collect-evidence' -Arguments @{ Folder = $Folder }
        Invoke-Test -Name 'prepare-node' -Arguments @{ Remove = $true }
    }
}
finally {
    Invoke-Test -Name 'loopback-adapter' -Arguments @{ Remove = $true }
}
if ($failures.Count -gt 0) { throw "failed:`n$($failures -join "`n")" }
Write-Host "all tests passed; the reports are in $Folder"
exit 0
