import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

export interface WindowsVersion {
  /** In the language of Windows. */
  readonly caption: string;
  /** As 20348 is Windows Server 2022's. */
  readonly build: number;
  /** What updates raise; 0 where Windows does not say. */
  readonly revision: number;
  /** False for client editions, which share build numbers with servers but have other update revisions. */
  readonly isServer: boolean;
}

/** https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem; the revision is in the registry only. */
const script = `
$windows = Get-CimInstance Win32_OperatingSystem
$current = Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
ConvertTo-Json -Compress @{
  caption = "$($windows.Caption)"
  build = [int]$windows.BuildNumber
  revision = [int]$current.UBR
  server = $windows.ProductType -ne 1
}`;

export function askWindowsVersion(terminal: Terminal): Promise<Fact<WindowsVersion>> {
  return ask(terminal, script, (printed) => ({
    caption: printed.read('caption', 'a string').trim(),
    build: printed.read('build', 'a number'),
    revision: printed.read('revision', 'a number'),
    isServer: printed.read('server', 'true or false'),
  }));
}
