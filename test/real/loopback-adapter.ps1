#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Adds a KM-TEST loopback adapter for the tests, or removes it.
.DESCRIPTION
The driver is part of Windows (netloop.inf). The adapter gets a static address and a high metric, so that the node keeps its own
connections. If the adapter exists, only restores its address: it can get lost when HNS deletes a network on it.
.PARAMETER Gateway
Also sets a gateway, which HNS expects of an adapter for an L2Bridge network. Without it, win-hcn debug probe accepts the adapter.
.PARAMETER Remove
Removes the adapter. Delete the networks on it first: prepare-node.ps1 -Remove does.
#>
[CmdletBinding()]
param([switch] $Gateway, [switch] $Remove)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'adapter') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$settings = (Get-TestNode).Settings
$adapters = @(Get-NetAdapter -IncludeHidden | Where-Object { $_.InterfaceDescription -like '*KM-TEST Loopback*' })
$ours = @($adapters | Where-Object { $_.Name -eq $settings.Name })

if ($Remove) {
    foreach ($adapter in $ours) {
        $null = Invoke-Program -Path 'pnputil.exe' -Arguments '/remove-device', $adapter.PnPDeviceID -Expected 0, 3010
        Write-Host "removed adapter $($adapter.Name)"
    }
    exit 0
}

if ($ours.Count -gt 0) {
    Set-AdapterAddress -Alias $settings.Name -Gateway:$Gateway
    Write-Host "adapter $($settings.Name) exists and has address $($settings.AdapterAddress)"
    exit 0
}
if ($adapters.Count -gt 0) {
    # Installing the driver would restart this adapter too.
    throw "this node has another KM-TEST loopback adapter: $($adapters[0].Name)"
}

if (-not ('RootDevice' -as [type])) { Add-Type -Path (Join-Path $PSScriptRoot 'root-device.cs') }
$instanceId = [RootDevice]::CreateNetworkAdapter('*MSLOOP', (Join-Path $env:windir 'inf\netloop.inf'))
try {
    Wait-Until -What "an adapter of $instanceId" -Test {
        @(Get-NetAdapter | Where-Object { $_.PnPDeviceID -eq $instanceId }).Count -eq 1
    }
    Get-NetAdapter | Where-Object { $_.PnPDeviceID -eq $instanceId } | Rename-NetAdapter -NewName $settings.Name
    Set-AdapterAddress -Alias $settings.Name -Gateway:$Gateway
}
catch {
    $null = Invoke-Program -Path 'pnputil.exe' -Arguments '/remove-device', $instanceId -Expected 0, 3010
    throw
}
Write-Host "added adapter $($settings.Name) with address $($settings.AdapterAddress)"
exit 0
