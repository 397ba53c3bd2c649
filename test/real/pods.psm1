<#
.SYNOPSIS
Pods of the test node, made with crictl as kubelet would make them.
#>
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$node = Get-TestNode

function Get-CrictlArgument {
    <#
    .SYNOPSIS
    Returns the arguments of a crictl command, with the pipe of the test node's containerd.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [string[]] $Command)
    $pipe = "npipe:////./pipe/$($node.Settings.Pipe)"
    return @('--runtime-endpoint', $pipe, '--image-endpoint', $pipe, '--timeout', '240s') + $Command
}

function Invoke-Crictl {
    <#
    .SYNOPSIS
    Runs a crictl command on the test node's containerd, and returns its exit code, output and errors.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string[]] $Command,
        [int[]] $Expected = @(0),
        [int] $Seconds = 300
    )
    $arguments = Get-CrictlArgument $Command
    return Invoke-Program -Path $node.Crictl -Arguments $arguments -Expected $Expected -Seconds $Seconds
}

function Get-PodImage {
    <#
    .SYNOPSIS
    Returns the image for pods of this build of Windows. Throws if settings.psd1 has none.
    #>
    $build = [string] [Environment]::OSVersion.Version.Build
    if (-not $node.Settings.PodImages.ContainsKey($build)) {
        throw "settings.psd1 has no image for build $build of Windows"
    }
    return $node.Settings.PodImages[$build]
}

function New-PodConfig {
    <#
    .SYNOPSIS
    Writes the configuration of a new pod, and returns the path.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [string] $Name)
    $config = @{
        metadata = @{
            name = "$($node.Settings.Name)-$Name"
            namespace = $node.Settings.Name
            uid = [guid]::NewGuid().ToString()
            attempt = 0
        }
        log_directory = Join-Path $node.DataFolder 'pods'
        windows = @{}
    }
    $path = Join-Path $node.DataFolder "pod-$Name.json"
    Write-Text -Path $path -Text ($config | ConvertTo-Json -Depth 5)
    return $path
}

function New-Pod {
    <#
    .SYNOPSIS
    Creates a pod, and returns its ID and the path of its configuration.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [string] $Name)
    $path = New-PodConfig -Name $Name
    $result = Invoke-Crictl -Command 'runp', $path
    return [pscustomobject]@{ Id = $result.Output.Trim(); Config = $path }
}

function Start-PodContainer {
    <#
    .SYNOPSIS
    Starts a container that runs until its pod ends, and returns its ID.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [pscustomobject] $Pod)
    $config = @{
        metadata = @{ name = 'waits' }
        image = @{ image = Get-PodImage }
        command = @('ping', '-t', '127.0.0.1')
        log_path = "$($Pod.Id).log"
        windows = @{}
    }
    $path = "$($Pod.Config).container"
    Write-Text -Path $path -Text ($config | ConvertTo-Json -Depth 5)
    $container = (Invoke-Crictl -Command 'create', $Pod.Id, $path, $Pod.Config).Output.Trim()
    $null = Invoke-Crictl -Command 'start', $container
    return $container
}

function Get-PodGateway {
    <#
    .SYNOPSIS
    Returns the gateway in the result of the pod's ADD.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [string] $Id)
    $pod = (Invoke-Crictl -Command 'inspectp', '-o', 'json', $Id).Output | ConvertFrom-Json
    foreach ($interface in $pod.info.cniResult.Interfaces.PSObject.Properties) {
        foreach ($address in @($interface.Value.IPConfigs | Where-Object { $_ })) {
            if ($address.Gateway) { return $address.Gateway }
        }
    }
    throw "the result of pod $Id has no gateway"
}

function Test-PodPing {
    <#
    .SYNOPSIS
    Pings an address from a container, and returns how many tries it took. Throws after ten.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Container,
        [Parameter(Mandatory)] [string] $Address
    )
    $last = $null
    foreach ($try in 1..10) {
        $command = 'exec', '--sync', '--timeout', '30', $Container, 'ping', '-n', '1', $Address
        $last = Invoke-Crictl -Command $command -Expected 0, 1
        # ping ends with 0 when another host answers that the destination is unreachable.
        if ($last.Output -match 'TTL=') { return $try }
        Start-Sleep -Seconds 1
    }
    throw "no answer from $Address in ten tries: $($last.Output)$($last.Errors)"
}

function Get-PodId {
    <#
    .SYNOPSIS
    Returns the IDs of all pods of the test node's containerd.
    #>
    $result = Invoke-Crictl -Command 'pods', '--quiet', '--no-trunc'
    return @($result.Output -split '\s+' | Where-Object { $_ })
}

function Remove-Pod {
    <#
    .SYNOPSIS
    Stops and removes a pod. Like kubelet, tries again if that fails. Returns how many tries it took.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Id,
        [int] $Tries = 5
    )
    foreach ($try in 1..$Tries) {
        try {
            $null = Invoke-Crictl -Command 'stopp', $Id
            $null = Invoke-Crictl -Command 'rmp', $Id
            return $try
        }
        catch {
            if ($try -eq $Tries) { throw }
            Start-Sleep -Seconds 2
        }
    }
}
