import type { Kind } from '../library.ts';

interface CauseAndRemedy {
  /** The usual cause in a call of win-hcn: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node where possible. */
  readonly remedy: string;
}

/** What an HRESULT means. */
export interface HresultMeaning extends CauseAndRemedy {
  /** Unsigned. */
  readonly hresult: number;
  /** Microsoft's, without its full stop. */
  readonly text: string;
  /** What it means instead when HCN refuses to create such an object. */
  readonly creating?: Readonly<Partial<Record<Kind, CauseAndRemedy>>>;
}

/** Shows the last events of HNS's own log. */
export const showLog = 'Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20';

/** Finds and frees a host port. */
export const freeHostPort =
  'Look for the host port in win-hcn ls loadbalancers, in the policies that Get-HnsEndpoint shows, in Get-NetTCPConnection -LocalPort PORT (or Get-NetUDPEndpoint), and in netsh interface ipv4 show excludedportrange tcp (or udp); free it, or take another.';
