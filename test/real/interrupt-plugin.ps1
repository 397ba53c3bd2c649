#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Kills win-hcn.exe at random moments while pods start and stop, then deletes leftovers with gc.
.PARAMETER Network
The conflist of test/real/conflists.
.PARAMETER Rounds
The number of pods. win-hcn is killed at most once during the start of each, and at most once during the stop of every second one.
.PARAMETER Seed
The seed of the random moments, to repeat a run.
.PARAMETER LongestDelay
The longest delay before win-hcn is killed, in milliseconds after its start.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network,
    [int] $Rounds = 30,
    [int] $Seed = (Get-Random -Maximum 1000000),
    [int] $LongestDelay = 1500
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'pods', 'network') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$node = Get-TestNode

function Get-PluginProcess {
    # A process that ends meanwhile has no path.
    return @(Get-Process -Name 'win-hcn' -ErrorAction SilentlyContinue | Where-Object { try { $_.Path -eq $node.Plugin } catch { $false } })
}

function Invoke-Interrupted {
    <#
    .SYNOPSIS
    Runs a crictl command, kills the first win-hcn.exe that it starts, and returns whether one was killed.
    #>
    [CmdletBinding()]
    param([string[]] $Command, [int] $Delay)
    $output = Join-Path $node.DataFolder 'interrupted.txt'
    $arguments = Get-CrictlArgument $Command
    $crictl = Start-Program -Path $node.Crictl -Arguments $arguments -Output $output -Errors "$output.errors"
    $waited = $false
    $killed = $false
    $watch = [Diagnostics.Stopwatch]::StartNew()
    while (-not $crictl.HasExited) {
        if ($watch.Elapsed.TotalSeconds -gt 300) {
            Stop-Process -Id $crictl.Id -Force
            throw "crictl $Command did not end within 300 s"
        }
        $plugin = @(Get-PluginProcess)
        if ($waited -or $plugin.Count -eq 0) {
            Start-Sleep -Milliseconds 10
            continue
        }
        Start-Sleep -Milliseconds $Delay
        $waited = $true
        # It may have ended by itself.
        if ($plugin[0].HasExited) { continue }
        try {
            Stop-Process -InputObject $plugin[0] -Force
            $killed = $true
        }
        catch { if (-not $plugin[0].HasExited) { throw } }
    }
    return $killed
}

$null = Get-Random -SetSeed $Seed
Write-Host "seed $Seed"
$conflist = Use-Conflist -Network $Network
$kills = 0
try {
    foreach ($round in 1..$Rounds) {
        $start = 'runp', (New-PodConfig -Name "$Network-interrupted-$round")
        if (Invoke-Interrupted -Command $start -Delay (Get-Random -Maximum $LongestDelay)) { $kills++ }
        foreach ($id in Get-PodId) {
            if ($round % 2 -eq 0) {
                $delay = Get-Random -Maximum $LongestDelay
                if (Invoke-Interrupted -Command 'stopp', $id -Delay $delay) { $kills++ }
            }
            $null = Remove-Pod -Id $id
        }
    }
}
finally {
    foreach ($id in Get-PodId) { $null = Remove-Pod -Id $id }
}
if ($kills -eq 0) { throw 'win-hcn was never killed: choose a shorter -LongestDelay' }
$gc = Invoke-Program -Path $node.Plugin -Arguments 'gc', '--network', $conflist.Name, '--yes'
Write-Host "killed win-hcn $kills times; gc: $($gc.Output)"
exit 0
