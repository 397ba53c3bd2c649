<#
.SYNOPSIS
The test node: its folders and names, and how its programs are run.
#>
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

$settings = Import-PowerShellDataFile (Join-Path $PSScriptRoot 'settings.psd1')
$programFolder = Join-Path $env:ProgramFiles $settings.Name
$dataFolder = Join-Path $env:ProgramData $settings.Name

# Both folders are outside the drive's root, where every user may create files.
$node = [pscustomobject]@{
    Settings = $settings
    ProgramFolder = $programFolder
    DataFolder = $dataFolder
    Containerd = Join-Path $programFolder 'containerd.exe'
    Crictl = Join-Path $programFolder 'crictl.exe'
    PluginFolder = Join-Path $programFolder 'cni\bin'
    Plugin = Join-Path $programFolder 'cni\bin\win-hcn.exe'
    ConfFolder = Join-Path $programFolder 'cni\conf'
    OptFolder = Join-Path $programFolder 'opt'
    # Windows' own: Git's tar, which may be first in PATH, takes C: for the name of a host.
    Tar = Join-Path $env:SystemRoot 'System32\tar.exe'
    Curl = Join-Path $env:SystemRoot 'System32\curl.exe'
    # HCN's objects before the tests.
    Before = Join-Path $dataFolder 'before.json'
}

function Get-TestNode {
    <#
    .SYNOPSIS
    Returns the folders, programs and settings of the test node.
    #>
    return $node
}

function Invoke-Program {
    <#
    .SYNOPSIS
    Runs a program, and returns its exit code, output and errors. Throws if it takes too long or its exit code is unexpected.
    .DESCRIPTION
    Windows PowerShell turns each line that a program writes to stderr into an error. Files keep both streams as they are.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Path,
        [string[]] $Arguments = @(),
        [int[]] $Expected = @(0),
        [int] $Seconds = 300
    )
    $output = [IO.Path]::GetTempFileName()
    $errors = [IO.Path]::GetTempFileName()
    try {
        $process = Start-Program -Path $Path -Arguments $Arguments -Output $output -Errors $errors
        if (-not $process.WaitForExit($Seconds * 1000)) {
            Stop-Process -Id $process.Id -Force
            throw "$Path $Arguments did not end within $Seconds s"
        }
        $result = [pscustomobject]@{
            ExitCode = $process.ExitCode
            Output = [IO.File]::ReadAllText($output)
            Errors = [IO.File]::ReadAllText($errors)
        }
    }
    finally {
        Remove-Item -LiteralPath $output, $errors -Force -ErrorAction SilentlyContinue
    }
    if ($Expected -notcontains $result.ExitCode) {
        throw "$Path $Arguments ended with exit code $($result.ExitCode): $($result.Output)$($result.Errors)"
    }
    return $result
}

function Start-Program {
    <#
    .SYNOPSIS
    Starts a program whose output and errors go to files, and returns its process.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Path,
        [string[]] $Arguments = @(),
        [Parameter(Mandatory)] [string] $Output,
        [Parameter(Mandatory)] [string] $Errors
    )
    $start = @{
        FilePath = $Path
        NoNewWindow = $true
        PassThru = $true
        RedirectStandardOutput = $Output
        RedirectStandardError = $Errors
    }
    # Start-Process joins arguments with spaces and does not quote them.
    $quoted = @($Arguments | ForEach-Object { if ($_ -match '^[^\s"]+$') { $_ } else { '"{0}"' -f $_ } })
    if ($quoted.Count -gt 0) { $start.ArgumentList = $quoted }
    $process = Start-Process @start
    # Without its handle, a process has no exit code after it ended.
    $null = $process.Handle
    return $process
}

function Write-Text {
    <#
    .SYNOPSIS
    Writes a file in UTF-8 without a byte order mark, which crictl and containerd do not accept.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Path,
        [Parameter(Mandatory)] [AllowEmptyString()] [string] $Text
    )
    # .NET has a current folder of its own.
    [IO.File]::WriteAllText($ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path), $Text)
}

function Wait-Until {
    <#
    .SYNOPSIS
    Repeats a test each second until it returns true. Throws after a number of seconds.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $What,
        [Parameter(Mandatory)] [scriptblock] $Test,
        [int] $Seconds = 60
    )
    $watch = [Diagnostics.Stopwatch]::StartNew()
    while (-not (& $Test)) {
        if ($watch.Elapsed.TotalSeconds -gt $Seconds) { throw "timed out after $Seconds s while waiting for $What" }
        Start-Sleep -Seconds 1
    }
}

function Get-HcnObject {
    <#
    .SYNOPSIS
    Returns HCN's networks, endpoints, namespaces and load balancers, as printed by win-hcn ls.
    #>
    $result = Invoke-Program -Path $node.Plugin -Arguments 'ls', '-o', 'json', '--remote'
    return $result.Output | ConvertFrom-Json
}
