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
  'Find the host port in win-hcn ls loadbalancers, in Get-HnsEndpoint, in Get-NetTCPConnection -LocalPort PORT (or Get-NetUDPEndpoint), or in netsh interface ipv4 show excludedportrange tcp (or udp). Free it, or use another.';
