import type { Terminal } from '../terminal/terminal.ts';

/**
 * Restarts the Host Network Service and the running services that depend on it, and starts them also if stopping fails.
 * https://learn.microsoft.com/dotnet/api/system.serviceprocess.servicecontroller
 */
const restartScript = `
$ErrorActionPreference = 'Stop'
$hns = Get-Service -Name hns
$dependents = @($hns.DependentServices | Where-Object { $_.Status -eq 'Running' } | ForEach-Object { $_.Name })
$problems = @()
try {
  # Restart-Service waits without limit, and starts nothing if it is killed.
  Stop-Service -Name hns -Force -NoWait
  $hns.WaitForStatus('Stopped', '00:01:30')
} catch {
  $problems += "hns did not stop: $($_.Exception.Message)"
}
try {
  $hns.Refresh()
  if ($hns.Status -eq 'Stopped') { $hns.Start() }
  $hns.WaitForStatus('Running', '00:00:30')
} catch {
  $problems += "hns is not running: $($_.Exception.Message)"
  $problems += "once it has stopped, run Start-Service $((@('hns') + $dependents) -join ', ')"
  throw ($problems -join '; ')
}
foreach ($name in $dependents) {
  try { Start-Service -Name $name } catch { $problems += "$name did not start: $($_.Exception.Message)" }
}
if ($problems.Count -gt 0) { throw ($problems -join '; ') }
`;

/** Dependent services can take 30 s each to stop. */
const limitSeconds = 300;

/** Restarts the Host Network Service. Returns the problem if that fails, which says if the service is not running then. */
export async function restartHns({ powershell }: Pick<Terminal, 'powershell'>): Promise<string | undefined> {
  const result = await powershell(restartScript, limitSeconds);
  return 'problem' in result ? result.problem : undefined;
}
