#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Starts pods on one network, one after another: each pings its gateway and is removed.
.PARAMETER Network
The conflist of test/real/conflists.
.PARAMETER Count
The number of pods.
.PARAMETER DeleteWhileRunning
Runs DEL while the pod's container runs, as a runtime does after losing its state, then removes the pod.
.PARAMETER Tries
The number of attempts for each pod. Default: 1. More are only needed while the executable is replaced.
.PARAMETER Report
The file for the times of each pod, as JSON.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network,
    [int] $Count = 50,
    [switch] $DeleteWhileRunning,
    [int] $Tries = 1,
    [Parameter(Mandatory)] [string] $Report
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'pods', 'network') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$node = Get-TestNode

function Start-PodInTries {
    [CmdletBinding()]
    param([string] $Name)
    foreach ($try in 1..$Tries) {
        try {
            return [pscustomobject]@{ Pod = New-Pod -Name $Name; Tries = $try }
        }
        catch {
            if ($try -eq $Tries) { throw }
            Write-Warning "try ${try}: $_"
            Start-Sleep -Seconds 2
        }
    }
}

function Invoke-Del {
    [CmdletBinding()]
    param([string] $Id, [string] $Conflist)
    $endpoint = @((Get-HcnObject).endpoints | Where-Object { $_.PSObject.Properties['container'] -and $_.container -eq $Id })
    if ($endpoint.Count -ne 1) { throw "pod $Id has $($endpoint.Count) endpoints, expected 1" }
    $arguments = 'debug', 'cni', 'del', '--conf', $Conflist, '--container', $Id, '--netns', $endpoint[0].namespace
    $null = Invoke-Program -Path $node.Plugin -Arguments $arguments
}

function Measure-Pod {
    [CmdletBinding()]
    param([string] $Name, [string] $Conflist)
    $watch = [Diagnostics.Stopwatch]::StartNew()
    $started = Start-PodInTries -Name $Name
    $id = $started.Pod.Id
    $startMilliseconds = $watch.ElapsedMilliseconds
    $removed = $false
    try {
        $container = Start-PodContainer -Pod $started.Pod
        $gateway = Get-PodGateway -Id $id
        $pings = Test-PodPing -Container $container -Address $gateway
        if ($DeleteWhileRunning) { Invoke-Del -Id $id -Conflist $Conflist }
        $watch.Restart()
        $null = Remove-Pod -Id $id -Tries 1
        $removed = $true
    }
    finally {
        if (-not $removed) { $null = Remove-Pod -Id $id }
    }
    return [pscustomobject]@{
        pod = $id
        startTries = $started.Tries
        startMilliseconds = $startMilliseconds
        gateway = $gateway
        pingTries = $pings
        removeMilliseconds = $watch.ElapsedMilliseconds
    }
}

$pods = @()
$failures = @()
$conflist = Use-Conflist -Network $Network
Add-PingRule
try {
    foreach ($number in 1..$Count) {
        try {
            $pods += Measure-Pod -Name "$Network-$number" -Conflist $conflist.Path
            Write-Host "pod $number of ${Count}: started in $($pods[-1].startMilliseconds) ms, answered at ping $($pods[-1].pingTries)"
        }
        catch {
            $failures += "pod ${number}: $_"
            Write-Warning $failures[-1]
            if ($failures.Count -ge 5) { break }
        }
    }
}
finally {
    Write-Text -Path $Report -Text (@{ pods = $pods; failures = $failures } | ConvertTo-Json -Depth 5)
    Remove-PingRule
    foreach ($id in Get-PodId) { $null = Remove-Pod -Id $id }
}
if ($failures.Count -gt 0) { throw "$($failures.Count) pods failed, $($pods.Count) of $Count succeeded" }
Write-Host "$Count pods started, pinged their gateway and were removed"
exit 0
