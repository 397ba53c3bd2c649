#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Measures how long pods take to start with Microsoft Defender as it is, and with it switched on.
.DESCRIPTION
GitHub's runners have Defender switched off. If it cannot be switched on, the report says so, and the script does not fail.
Restores Defender's settings.
.PARAMETER Network
The conflist of test/real/conflists.
.PARAMETER Count
The number of pods in each run.
.PARAMETER Folder
The folder for the reports.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network,
    [int] $Count = 10,
    [Parameter(Mandatory)] [string] $Folder
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$switches = 'DisableRealtimeMonitoring', 'DisableIOAVProtection', 'DisableBehaviorMonitoring', 'DisableScriptScanning'

function Measure-Run {
    [CmdletBinding()]
    param([string] $Name)
    $report = Join-Path $Folder "$Name.json"
    & (Join-Path $PSScriptRoot 'run-pods.ps1') -Network $Network -Count $Count -Report $report | Out-Host
    $times = @((Get-Content -Raw $report | ConvertFrom-Json).pods | ForEach-Object { $_.startMilliseconds } | Sort-Object)
    $status = Get-MpComputerStatus
    return [pscustomobject]@{
        realTimeProtection = $status.RealTimeProtectionEnabled
        # Tamper protection ignores the switches without an error.
        tamperProtected = $status.IsTamperProtected
        pods = $times.Count
        medianStartMilliseconds = $times[[int] [Math]::Floor(($times.Count - 1) / 2)]
        longestStartMilliseconds = $times[-1]
    }
}

function Enable-Defender {
    [CmdletBinding()]
    param([string[]] $Exclusions)
    if ($Exclusions.Count -gt 0) { Remove-MpPreference -ExclusionPath $Exclusions }
    $on = @{}
    foreach ($switch in $switches) { $on[$switch] = $false }
    Set-MpPreference @on
    Wait-Until -What 'real-time protection' -Test { (Get-MpComputerStatus).RealTimeProtectionEnabled }
}

function Restore-Defender {
    [CmdletBinding()]
    param([pscustomobject] $Switches, [string[]] $Exclusions)
    $old = @{}
    foreach ($property in $Switches.PSObject.Properties) { $old[$property.Name] = $property.Value }
    # First, because Defender can refuse the switches.
    if ($Exclusions.Count -gt 0) { Add-MpPreference -ExclusionPath $Exclusions }
    Set-MpPreference @old
}

$result = [ordered]@{ asFound = $null; switchedOn = $null; problem = $null }
try {
    $preference = Get-MpPreference
    $status = Get-MpComputerStatus
}
catch {
    $result.problem = "Defender cannot be queried: $_"
}
if ($null -eq $result.problem) {
    $saved = $preference | Select-Object -Property $switches
    $exclusions = @($preference.ExclusionPath | Where-Object { $_ })
    $result.asFound = Measure-Run -Name 'defender-as-found'
    if ($status.RealTimeProtectionEnabled -and $exclusions.Count -eq 0) {
        $result.problem = 'Defender was on already'
    }
    else {
        try {
            try { Enable-Defender -Exclusions $exclusions } catch { $result.problem = "Defender cannot be switched on: $_" }
            if ($null -eq $result.problem) { $result.switchedOn = Measure-Run -Name 'defender-on' }
        }
        finally {
            try { Restore-Defender -Switches $saved -Exclusions $exclusions }
            catch {
                # Defender that cannot be switched on may refuse this too.
                if ($null -eq $result.problem) { throw }
                Write-Warning "cannot restore Defender's settings: $_"
            }
        }
    }
}
$text = $result | ConvertTo-Json -Depth 5
Write-Text -Path (Join-Path $Folder 'defender.json') -Text $text
Write-Host $text
exit 0
