#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Saves diagnostics: the support bundle of win-hcn collect, the state of Defender, HNS events, and the logs of win-hcn and containerd.
.DESCRIPTION
Also runs after failures. Warns about each part that cannot be saved, and continues.
.PARAMETER Folder
The folder for all files.
.PARAMETER Executable
The win-hcn.exe to run if prepare-node.ps1 has installed none. Default: dist\win-hcn.exe.
#>
[CmdletBinding()]
param(
    [Parameter(Mandatory)] [string] $Folder,
    [string] $Executable = (Join-Path $PSScriptRoot '..\..\dist\win-hcn.exe')
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$node = Get-TestNode
$null = New-Item -ItemType Directory -Force -Path $Folder
$Folder = (Resolve-Path $Folder).Path
if (Test-Path $node.Plugin) { $Executable = $node.Plugin }
$eventLogs = @(
    'Microsoft-Windows-Host-Network-Service-Admin'
    'Microsoft-Windows-Host-Network-Service-Operational'
    'Microsoft-Windows-Hyper-V-Compute-Operational'
    'Microsoft-Windows-Hyper-V-VmSwitch-Operational'
)

function Save-Part {
    [CmdletBinding()]
    param([string] $Name, [scriptblock] $Save)
    try {
        & $Save
        Write-Host "saved $Name"
    }
    catch {
        Write-Warning "${Name}: $_"
    }
}

Save-Part -Name 'the support bundle' -Save {
    $bundle = Join-Path $Folder 'collect.zip'
    $null = Invoke-Program -Path $Executable -Arguments 'collect', $bundle, '--force' -Expected 0, 1 -Seconds 900
}
Save-Part -Name 'gc' -Save {
    $result = Invoke-Program -Path $Executable -Arguments 'gc' -Expected 0, 1, 3
    Write-Text -Path (Join-Path $Folder 'gc.txt') -Text "$($result.Output)$($result.Errors)"
}
Save-Part -Name 'the state of Defender' -Save {
    $status = Get-MpComputerStatus | Select-Object -Property 'RealTimeProtectionEnabled', 'IsTamperProtected', 'AMRunningMode'
    Write-Text -Path (Join-Path $Folder 'defender-status.json') -Text ($status | ConvertTo-Json)
}
foreach ($log in $eventLogs) {
    Save-Part -Name $log -Save {
        $file = Join-Path $Folder "$log.evtx"
        $null = Invoke-Program -Path 'wevtutil.exe' -Arguments 'export-log', $log, $file, '/overwrite:true'
        $events = Get-WinEvent -LogName $log -MaxEvents 2000 -ErrorAction SilentlyContinue
        $events | Format-List -Property 'TimeCreated', 'Id', 'LevelDisplayName', 'Message' | Out-File "$file.txt" -Encoding utf8
    }
}
foreach ($log in 'win-hcn*.log', 'containerd.log') {
    Save-Part -Name $log -Save {
        $path = Join-Path $node.DataFolder $log
        if (Test-Path $path) { Copy-Item -Path $path -Destination $Folder -Force }
    }
}
exit 0
