import type { Terminal } from '../../terminal.ts';
import type { Fact } from '../fact.ts';
import { ask } from './ask.ts';

/** Who runs this. */
export interface Account {
  readonly name: string;
  /** SYSTEM, or an administrator whose rights are not held back. */
  readonly isElevated: boolean;
}

/** https://learn.microsoft.com/dotnet/api/system.security.principal.windowsprincipal.isinrole */
const script = `
$identity = [Security.Principal.WindowsIdentity]::GetCurrent()
$principal = New-Object Security.Principal.WindowsPrincipal($identity)
$administrator = [Security.Principal.WindowsBuiltInRole]::Administrator
ConvertTo-Json -Compress @{
  name = $identity.Name
  elevated = $identity.IsSystem -or $principal.IsInRole($administrator)
}`;

export function askAccount(terminal: Terminal): Promise<Fact<Account>> {
  return ask(terminal, script, (printed) => ({
    name: printed.read('name', 'a string'),
    isElevated: printed.read('elevated', 'true or false'),
  }));
}
