<#
.SYNOPSIS
The network of the test node's pods: its conflist, the firewall rule for pings, and its removal.
#>
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

foreach ($module in 'node', 'pods', 'adapter') { Import-Module (Join-Path $PSScriptRoot "$module.psm1") }
$node = Get-TestNode

function Use-Conflist {
    <#
    .SYNOPSIS
    Makes one of test/real/conflists the only configuration of the test node's containerd. Returns its path and its network's name.
    .DESCRIPTION
    The L2Bridge network is created before the first pod, because the adapter can lose its address with it.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [ValidateSet('l2bridge', 'nat')] [string] $Network)
    $file = Join-Path $PSScriptRoot "conflists\$Network.conflist"
    $path = Join-Path $node.ConfFolder '10-win-hcn.conflist'
    $null = Invoke-Program -Path $node.Plugin -Arguments 'config', 'check', $file
    Copy-Item -LiteralPath $file -Destination $path -Force
    if ($Network -eq 'l2bridge') {
        $ensure = Invoke-Program -Path $node.Plugin -Arguments 'network', 'ensure', $path, '--yes'
        Write-Host $ensure.Output
        Restore-AdapterAddress
    }
    # containerd reads a changed configuration some time later. A restart reads it now.
    Restart-Service -Name $node.Settings.Name
    Wait-Until -What 'NetworkReady of containerd' -Test { Test-NetworkReady }
    return [pscustomobject]@{ Path = $path; Name = (Get-Content -Raw $path | ConvertFrom-Json).name }
}

function Test-NetworkReady {
    <#
    .SYNOPSIS
    Returns whether containerd responds and has a network configuration.
    #>
    $result = Invoke-Crictl -Command 'info', '--quiet' -Expected 0, 1
    if ($result.ExitCode -ne 0) { return $false }
    $conditions = ($result.Output | ConvertFrom-Json).status.conditions
    return @($conditions | Where-Object { $_.type -eq 'NetworkReady' -and $_.status }).Count -eq 1
}

function Add-PingRule {
    <#
    .SYNOPSIS
    Lets pods ping the node: Windows blocks that on networks that it takes for public.
    #>
    if (Get-NetFirewallRule -Name $node.Settings.Name -ErrorAction SilentlyContinue) { return }
    $rule = @{
        Name = $node.Settings.Name
        DisplayName = 'win-hcn test: pods ping the node'
        Direction = 'Inbound'
        Protocol = 'ICMPv4'
        IcmpType = 8
        Action = 'Allow'
    }
    $null = New-NetFirewallRule @rule
}

function Remove-PingRule {
    <#
    .SYNOPSIS
    Removes the rule of Add-PingRule.
    #>
    Remove-NetFirewallRule -Name $node.Settings.Name -ErrorAction SilentlyContinue
}

function Remove-TestNetwork {
    <#
    .SYNOPSIS
    Deletes the networks that the tests created: those of the conflists that HCN did not have before.
    #>
    $before = @((Get-Content -Raw $node.Before | ConvertFrom-Json).networks | ForEach-Object { $_.id })
    foreach ($file in Get-ChildItem (Join-Path $PSScriptRoot 'conflists\*.conflist')) {
        $name = (Get-Content -Raw $file.FullName | ConvertFrom-Json).name
        $network = @((Get-HcnObject).networks | Where-Object { $_.name -eq $name })
        if ($network.Count -eq 0 -or $before -contains $network[0].id) { continue }
        # Pods whose removal failed may have left endpoints, which keep win-hcn from deleting the network.
        $null = Invoke-Program -Path $node.Plugin -Arguments 'gc', '--network', $name, '--yes' -Expected 0, 1
        $null = Invoke-Program -Path $node.Plugin -Arguments 'network', 'delete', $name, '--yes'
        Write-Host "deleted network $name"
    }
}
