import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

/**
 * The service's sudden ends in the last day: events 7031 and 7034, whose first property is the service's name as Windows shows it,
 * in its language. https://learn.microsoft.com/powershell/module/microsoft.powershell.diagnostics/get-winevent
 */
const script = `
$names = @('hns', (Get-Service hns).DisplayName)
$wanted = @{
  LogName = 'System'
  ProviderName = 'Service Control Manager'
  Id = 7031, 7034
  StartTime = (Get-Date).AddDays(-1)
}
try {
  $events = @(Get-WinEvent -FilterHashtable $wanted)
} catch {
  if ($_.FullyQualifiedErrorId -notlike 'NoMatchingEventsFound*') { throw }
  $events = @()
}
$times = @($events | Where-Object { $names -contains $_.Properties[0].Value } |
  ForEach-Object { $_.TimeCreated.ToUniversalTime().ToString('s') + 'Z' })
ConvertTo-Json -Compress @{ times = $times }`;

/** When, as ISO 8601 has it, the last one first. */
export function askHnsCrashes(terminal: Terminal): Promise<Fact<readonly string[]>> {
  return ask(terminal, script, (printed) => printed.read('times', 'a list of strings'));
}
