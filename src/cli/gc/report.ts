import type { EndpointRow } from '../inventory/endpoint-row.ts';
import type { Leftovers, Stale } from './leftovers.ts';
import type { Done, Outcome } from './outcome.ts';
import type { Reservation } from './reservations.ts';

/** A leftover and what becomes of it; `problem` is why it is still there. */
export type Judged<T> = Stale<T> & { readonly outcome: Outcome; readonly problem?: string };

/** What `gc` has to say, for programs as it is. */
export interface Report {
  readonly endpoints: readonly Judged<EndpointRow>[];
  readonly reservations: readonly (Judged<Reservation> & { readonly command: string })[];
}

/** What a run with --yes would do. `ipam`: host-local is asked to give addresses back. */
export function foreseen({ endpoints, ofOtherPlugins, reservations }: Leftovers, ipam: boolean): Report {
  return {
    endpoints: [
      ...endpoints.map((row) => ({ ...row, outcome: 'would be deleted' as const })),
      ...ofOtherPlugins.map((row) => ({ ...row, outcome: 'left' as const })),
    ],
    reservations: reservations.map((one) => ({
      ...one,
      command: removal(one.file),
      outcome: ipam && one.container !== undefined ? ('would be given back' as const) : ('left' as const),
    })),
  };
}

/** What was done instead, in the order of the report. */
export function withEnds({ endpoints, reservations }: Report, ended: readonly Done[]): Report {
  const left = [...ended];
  const judge = <T extends { readonly outcome: Outcome }>(one: T) => {
    const done = one.outcome === 'left' ? undefined : left.shift();
    if (done === undefined) return one;
    const { outcome } = done;
    return { ...one, outcome, ...(outcome === 'failed' && { problem: done.problem }) };
  };
  return { endpoints: endpoints.map(judge), reservations: reservations.map(judge) };
}

/** In PowerShell. */
function removal(file: string): string {
  return `Remove-Item -LiteralPath '${file.replaceAll("'", "''")}'`;
}
