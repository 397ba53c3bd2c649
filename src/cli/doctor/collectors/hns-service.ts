import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

/** The Windows service `hns`. */
export interface HnsService {
  /** `Running`, `Stopped` and the like, in English always; empty where there is no such service. */
  readonly state: string;
  /** `Manual`, `Auto`, `Disabled`. */
  readonly startMode: string;
  /** 0 while it does not run. */
  readonly processId: number;
  readonly threads: number;
  readonly upSeconds: number;
}

/**
 * https://learn.microsoft.com/windows/win32/cimwin32prov/win32-service and
 * https://learn.microsoft.com/windows/win32/cimwin32prov/win32-process
 */
const script = `
$service = Get-CimInstance Win32_Service -Filter "Name='hns'"
$process = Get-CimInstance Win32_Process -Filter "ProcessId=$([int]$service.ProcessId)"
$seconds = 0
if ($process.CreationDate) { $seconds = [int]((Get-Date) - $process.CreationDate).TotalSeconds }
ConvertTo-Json -Compress @{
  state = "$($service.State)"
  startMode = "$($service.StartMode)"
  processId = [int]$service.ProcessId
  threads = [int]$process.ThreadCount
  seconds = $seconds
}`;

export function askHnsService(terminal: Terminal): Promise<Fact<HnsService>> {
  return ask(terminal, script, (printed) => ({
    state: printed.read('state', 'a string'),
    startMode: printed.read('startMode', 'a string'),
    processId: printed.read('processId', 'a number'),
    threads: printed.read('threads', 'a number'),
    upSeconds: printed.read('seconds', 'a number'),
  }));
}
