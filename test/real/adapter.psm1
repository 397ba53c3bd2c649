<#
.SYNOPSIS
The address of the loopback adapter, also after HNS has moved it to a virtual switch.
#>
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

Import-Module (Join-Path $PSScriptRoot 'node.psm1')
$settings = (Get-TestNode).Settings

function Set-AdapterAddress {
    <#
    .SYNOPSIS
    Gives an interface the loopback adapter's address and a high metric, and waits until Windows uses the address.
    .PARAMETER Alias
    The interface: the adapter, or that of the virtual switch on it.
    .PARAMETER Gateway
    Also sets the gateway. Its metric keeps the node's own default route in force.
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)] [string] $Alias, [switch] $Gateway)
    $address = @{ InterfaceAlias = $Alias; IPAddress = $settings.AdapterAddress }
    # Windows binds IPv4 some time after the adapter appears, and after HNS creates or deletes a network on it.
    Wait-Until -What "IPv4 on $Alias" -Test {
        $up = @(Get-NetAdapter -Name $Alias -ErrorAction SilentlyContinue | Where-Object { $_.Status -eq 'Up' })
        $bound = @(Get-NetIPInterface -InterfaceAlias $Alias -AddressFamily IPv4 -ErrorAction SilentlyContinue)
        $up.Count -eq 1 -and $bound.Count -eq 1
    }
    Set-NetIPInterface -InterfaceAlias $Alias -AddressFamily IPv4 -Dhcp Disabled -InterfaceMetric 254
    Wait-Until -What "address $($settings.AdapterAddress) on $Alias" -Test {
        $current = @(Get-NetIPAddress @address -ErrorAction SilentlyContinue)
        if ($current.Count -eq 0) {
            try { $null = New-NetIPAddress @address -PrefixLength $settings.AdapterPrefixLength } catch { Write-Warning $_ }
        }
        @($current | Where-Object { $_.AddressState -eq 'Preferred' }).Count -eq 1
    }
    $route = @{ InterfaceAlias = $Alias; DestinationPrefix = '0.0.0.0/0' }
    if ($Gateway -and @(Get-NetRoute @route -ErrorAction SilentlyContinue).Count -eq 0) {
        $null = New-NetRoute @route -NextHop $settings.AdapterGateway -RouteMetric 9000
    }
}

function Restore-AdapterAddress {
    <#
    .SYNOPSIS
    Sets the address again after HNS created a network on the adapter: on the interface of the virtual switch.
    #>
    # Without a switch that the node shares, the adapter keeps its address.
    $candidates = "vEthernet ($($settings.Name))", $settings.Name
    $test = { Get-NetIPInterface -InterfaceAlias $_ -AddressFamily IPv4 -ErrorAction SilentlyContinue }
    Wait-Until -What "an interface of adapter $($settings.Name)" -Test { @($candidates | Where-Object $test).Count -gt 0 }
    Set-AdapterAddress -Alias @($candidates | Where-Object $test)[0] -Gateway
}
