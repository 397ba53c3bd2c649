/** Shows the last events of the service's own log. */
export const showLog = 'Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20';

/** What an HRESULT means, and what to make of it. */
export interface Hresult {
  /** Unsigned. */
  readonly hresult: number;
  readonly symbol: string;
  /** Microsoft's, without its full stop. */
  readonly text: string;
  /** What usually leads to it when win-hcn makes the call: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node where there is one. */
  readonly remedy: string;
}
