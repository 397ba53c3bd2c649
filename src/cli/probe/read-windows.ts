import { type Query, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The Windows of a node, as in `Windows Server 2022 Datacenter 20348.2402`. Never rejects: undefined if it could not be read. */
export async function readWindows(terminal: Pick<Terminal, 'powershell'>): Promise<string | undefined> {
  const fact = await runQuery(terminal, windowsQuery);
  return 'value' in fact ? fact.value : undefined;
}

const windowsQuery: Query<string> = {
  script: `
$windows = Get-ItemProperty -LiteralPath 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
$text = '{0} {1}.{2}' -f $windows.ProductName, $windows.CurrentBuild, $windows.UBR
ConvertTo-Json -Compress @{ windows = $text }`,
  read: (output) => output.read('windows', 'a string'),
};
