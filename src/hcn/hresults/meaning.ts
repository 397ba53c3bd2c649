/** What an HRESULT means. */
export interface HresultMeaning {
  /** Microsoft's, without its full stop. */
  readonly text: string;
  /** The state of the service, if the code alone tells it: messages begin with it. */
  readonly service?: string;
  /** The usual cause in a call of win-hcn: a sentence. */
  readonly cause: string;
  /** What to do next, with a command for the node where possible. */
  readonly remedy: string;
}

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

/** Installs what HNS is part of. */
export const installContainers = 'Enable-WindowsOptionalFeature -Online -FeatureName Containers';

/** Finds and frees a host port. */
export const freeHostPort =
  'Run win-hcn show port PORT to see what uses it. Free the port, or use another one. HNS may take up to 70 s to release the port of a deleted pod.';

/** A rare code, about which nothing is known but Microsoft's text. */
export function textOnly(text: string): HresultMeaning {
  const cause = 'HNS gives no other reason than this text.';
  return { text, cause, remedy: `Retry, or recreate the pod. If it fails again, read the log: ${showLog}.` };
}
