import type { Kind } from '../guid.ts';

interface CauseAndRemedy {
  /** The usual cause in a call of win-hcn: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node where possible. */
  readonly remedy: string;
}

/** What an HRESULT means. */
export interface HresultMeaning extends CauseAndRemedy {
  /** Microsoft's, without its full stop. */
  readonly text: string;
  /** The state of the service, if the code alone tells it: messages begin with it. */
  readonly service?: string;
  /** What it means instead when HCN refuses to create such an object. */
  readonly creating?: Readonly<Partial<Record<Created, CauseAndRemedy>>>;
}

/** An object or policy to create. HNS chooses the address of an endpoint without one. */
export type Created = Kind | 'Endpoint without address' | 'Remote subnet';

/** For an address that HNS was to choose. */
export const noFreeAddress = {
  'Endpoint without address': {
    cause: "The network's subnet or MAC pool has no free address.",
    remedy:
      'Delete leftovers with win-hcn gc --yes; to include those of other plugins, add --other-plugins. If pods use all addresses, which win-hcn ls endpoints shows, use a larger subnet.',
  },
} as const;

/** Shows the last events of HNS's own log. */
export const showLog = 'Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20';

/** For an object that only a new pod gets again. */
export const recreatePod = 'Delete the pod so that it is recreated.';

/** For a service that does not work. */
export const restartHns = 'drain the node and run Restart-Service hns';

/** For a service that may not be running. */
export const checkHns = 'Run Get-Service hns. If the service is stopped, run Start-Service hns.';

/** For a service that is not running. */
export const notRunning = 'HNS is not running';
/** Starts a service that is not running. */
export const startHns = 'Run Start-Service hns.';

/** Finds and frees a host port. */
export const freeHostPort =
  'Run win-hcn show port PORT to see what uses the host port. Free the port, or use another one. HNS may take up to 70 s to release the port of a deleted pod.';
