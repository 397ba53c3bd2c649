import type { EndpointId } from '../../hcn/guid.ts';
import type { Destination } from '../traffic/destination.ts';
import type { Findings } from './analyze.ts';
/** The result of a capture. */
export interface CaptureReport extends Findings {
  readonly container: string;
  readonly pod?: string;
  /** Absent for all traffic. */
  readonly destinations?: readonly Destination[];
  readonly endpoints: readonly CapturedEndpoint[];
  /** pktmon's filters, in words. */
  readonly filters: readonly string[];
  /** What this build of pktmon could not do. */
  readonly lacks: readonly string[];
  /** The file with the packets; absent if none was asked for. */
  readonly file?: string;
}

export interface CapturedEndpoint {
  readonly endpoint: EndpointId;
  readonly network: string;
  readonly addresses: readonly string[];
  readonly macAddress: string;
}
