import type { JsonObject } from '../../json/members.ts';
import { usualInterface } from '../../model/ownership.ts';
import { defaultCniPath, pluginInput, type RequestFlags } from '../cni/plugin-input.ts';
import { runPlugin } from '../cni/run-plugin.ts';
import { exitCode, type Session } from '../session.ts';
import type { Done } from './outcome.ts';
import { isSame, type Reservation, readReservations, type Store } from './reservations.ts';

/**
 * Has host-local give an address back, by a DEL for its container: host-local then holds its own lock, and looks itself whose the
 * address is.
 */
export async function giveBack(
  reservation: Reservation,
  { config, store }: { readonly config: JsonObject; readonly store: Store },
  { cniPath }: Pick<RequestFlags, 'cniPath'>,
  session: Session,
): Promise<Done> {
  const { container = '', interface: ifname = usualInterface, file } = reservation;
  const flags = { container, ifname, ...(cniPath !== undefined && { cniPath }) };
  const input = pluginInput('DEL', config, flags, undefined, defaultCniPath(session.system));
  const { exitCode: code, answer } = await runPlugin(input, session.system);
  if (code !== exitCode.success)
    return { outcome: 'failed', problem: messageOf(answer), hnsAnswers: code !== exitCode.hnsUnavailable };
  if (readReservations(store, session).reservations.some((other) => isSame(reservation, other)))
    return {
      outcome: 'failed',
      problem: `host-local gave it back, but ${file} is still there`,
      hnsAnswers: true,
    };
  return { outcome: 'given back' };
}

function messageOf(answer: unknown): string {
  const { msg, details } = answer as { readonly msg: string; readonly details?: string };
  return details === undefined ? msg : `${msg} (${details})`;
}
