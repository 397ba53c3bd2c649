#Requires -Version 5.1
#Requires -RunAsAdministrator
<#
.SYNOPSIS
Installs a separate containerd for the tests, with win-hcn as its only plugin, or removes both.
.DESCRIPTION
Another containerd on this node keeps running: this one has its own service, pipe and folders. Saves a snapshot of HCN's objects,
which assert-clean.ps1 compares with.
.PARAMETER Executable
The win-hcn.exe to test. Default: dist\win-hcn.exe, which npm run package builds.
.PARAMETER Remove
Removes the pods, the networks that the tests created, the service, the firewall rule and both folders.
#>
[CmdletBinding()]
param(
    [string] $Executable = (Join-Path $PSScriptRoot '..\..\dist\win-hcn.exe'),
    [switch] $Remove
)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'pods', 'network') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$node = Get-TestNode
$settings = $node.Settings

function Save-Download {
    [CmdletBinding()]
    param([string] $Url, [string] $Path)
    $arguments = '--fail', '--silent', '--show-error', '--location', '--retry', '3', '--output', $Path, $Url
    $null = Invoke-Program -Path $node.Curl -Arguments $arguments -Seconds 600
}

function Expand-Download {
    [CmdletBinding()]
    param([hashtable] $Download, [string] $Folder)
    $archive = Join-Path $node.DataFolder (Split-Path -Leaf $Download.Url)
    Save-Download -Url $Download.Url -Path $archive
    if ($Download.ContainsKey('Sha256')) {
        $wanted = $Download.Sha256
    }
    else {
        Save-Download -Url $Download.Sha256Url -Path "$archive.sha256"
        $wanted = ((Get-Content -Raw "$archive.sha256").Trim() -split '\s+')[0]
    }
    $hash = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash
    # Strings are compared without case.
    if ($hash -ne $wanted) { throw "$($Download.Url) has SHA-256 $hash, expected $wanted" }
    $null = Invoke-Program -Path $node.Tar -Arguments '-xf', $archive, '-C', $Folder
    Write-Host "verified $($Download.Url)"
}

function Write-ContainerdConfig {
    [CmdletBinding()]
    param([string] $Path)
    $pipe = "\\.\pipe\$($settings.Pipe)"
    $lines = @(
        'version = 3'
        "root = '$($node.DataFolder)\root'"
        "state = '$($node.DataFolder)\state'"
        '[grpc]'
        "  address = '$pipe'"
        '[ttrpc]'
        "  address = '$pipe.ttrpc'"
        "[plugins.'io.containerd.internal.v1.opt']"
        "  path = '$($node.OptFolder)'"
        "[plugins.'io.containerd.cri.v1.images'.pinned_images]"
        "  sandbox = '$($settings.PauseImage)'"
        "[plugins.'io.containerd.cri.v1.runtime'.cni]"
        "  bin_dirs = ['$($node.PluginFolder)']"
        "  conf_dir = '$($node.ConfFolder)'"
    )
    Write-Text -Path $Path -Text ($lines -join "`n")
}

function Install-Node {
    $opt = Join-Path $node.OptFolder 'bin'
    foreach ($folder in $node.PluginFolder, $node.ConfFolder, $opt, (Join-Path $node.DataFolder 'pods')) {
        $null = New-Item -ItemType Directory -Force -Path $folder
    }
    Copy-Item -LiteralPath $Executable -Destination $node.Plugin
    Write-Text -Path $node.Before -Text (Get-HcnObject | ConvertTo-Json -Depth 10)

    $unpacked = Join-Path $node.DataFolder 'containerd'
    $null = New-Item -ItemType Directory -Force -Path $unpacked
    Expand-Download -Download $settings.Containerd -Folder $unpacked
    Copy-Item -Path (Join-Path $unpacked 'bin\*') -Destination $node.ProgramFolder
    # containerd looks for its shim here first: the PATH may have that of another containerd.
    Copy-Item -Path (Join-Path $unpacked 'bin\*shim*') -Destination $opt
    Expand-Download -Download $settings.Crictl -Folder $node.ProgramFolder

    $config = Join-Path $node.ProgramFolder 'config.toml'
    Write-ContainerdConfig -Path $config
    $log = Join-Path $node.DataFolder 'containerd.log'
    # containerd --register-service gives every service the display name Containerd, and Windows refuses a second one.
    $command = '"{0}" --run-service --service-name {1} --config "{2}" --log-file "{3}"' -f $node.Containerd, $settings.Name, $config, $log
    $null = New-Service -Name $settings.Name -DisplayName $settings.Name -StartupType Manual -BinaryPathName $command
    Start-Service -Name $settings.Name
    Wait-Until -What 'a response from containerd' -Test { (Invoke-Crictl -Command 'version' -Expected 0, 1).ExitCode -eq 0 }
    foreach ($image in $settings.PauseImage, (Get-PodImage)) {
        $null = Invoke-Crictl -Command 'pull', $image -Seconds 1200
        Write-Host "pulled $image"
    }
}

function Remove-Content {
    <#
    .SYNOPSIS
    Removes the pods and images of containerd. Files in the layers of images cannot be deleted in other ways.
    #>
    Start-Service -Name $settings.Name
    Wait-Until -What 'a response from containerd' -Test { (Invoke-Crictl -Command 'version' -Expected 0, 1).ExitCode -eq 0 }
    foreach ($id in Get-PodId) { $null = Remove-Pod -Id $id }
    $ctr = Join-Path $node.ProgramFolder 'ctr.exe'
    $images = '--address', "\\.\pipe\$($settings.Pipe)", '--namespace', 'k8s.io', 'images'
    $names = (Invoke-Program -Path $ctr -Arguments ($images + 'list' + '--quiet')).Output -split '\s+'
    foreach ($name in $names | Where-Object { $_ }) {
        $null = Invoke-Program -Path $ctr -Arguments ($images + 'remove' + '--sync' + $name)
    }
}

function Remove-Part {
    <#
    .SYNOPSIS
    Removes one part of the node. A failure does not keep the other parts from being removed.
    #>
    [CmdletBinding()]
    param([string] $Name, [scriptblock] $Action)
    try { & $Action }
    catch {
        Write-Warning "cannot remove ${Name}: $_"
        $script:kept += "${Name}: $_"
    }
}

function Remove-Node {
    $script:kept = @()
    $service = @(Get-Service -Name $settings.Name -ErrorAction SilentlyContinue)
    if ($service.Count -gt 0) {
        try { Remove-Content } catch { Write-Warning "cannot remove all pods and images: $_" }
        Remove-Part -Name 'the service' -Action {
            Stop-Service -Name $settings.Name
            $null = Invoke-Program -Path 'sc.exe' -Arguments 'delete', $settings.Name
        }
    }
    if (Test-Path $node.Before) { Remove-Part -Name 'the networks' -Action { Remove-TestNetwork } }
    Remove-Part -Name 'the firewall rule' -Action { Remove-PingRule }
    # win-hcn and its snapshot of the node stay as long as networks do.
    if (@($kept | Where-Object { $_ -like 'the networks:*' }).Count -eq 0) {
        foreach ($folder in $node.ProgramFolder, $node.DataFolder) {
            if (Test-Path $folder) { Remove-Part -Name $folder -Action { Remove-Item -LiteralPath $folder -Recurse -Force } }
        }
    }
    if ($kept.Count -gt 0) { throw "not removed:`n$($kept -join "`n")" }
}

if ($Remove) {
    Remove-Node
    Write-Host 'removed containerd and win-hcn'
    exit 0
}
if (Test-Path $node.ProgramFolder) { throw "$($node.ProgramFolder) exists: run prepare-node.ps1 -Remove first" }
if (-not (Test-Path -LiteralPath $Executable)) { throw "$Executable does not exist: run npm run package first" }
$null = Get-PodImage
try {
    Install-Node
}
catch {
    $failure = $_
    # The log goes with the folder.
    $log = Join-Path $node.DataFolder 'containerd.log'
    if (Test-Path $log) { Get-Content $log -Tail 50 | Write-Host }
    try { Remove-Node } catch { Write-Warning "cannot remove everything: $_" }
    throw $failure
}
Write-Host "containerd runs as service $($settings.Name)"
exit 0
