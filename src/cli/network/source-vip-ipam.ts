import { sourceVipHolder } from '../../config/source-vip.ts';
import type { JsonObject } from '../../json/members.ts';
import type { System } from '../../system.ts';
import { findStore } from '../gc/find-leftovers.ts';
import { readReservations } from '../gc/reservations.ts';
import { defaultCniPath } from '../plugin/plugin-input.ts';
import { withoutCniVariables } from '../plugin/run-plugin.ts';
import type { Session } from '../terminal/session.ts';

export interface CniPathFlag {
  readonly cniPath?: string;
}

/**
 * The system in which the IPAM plugin runs for the source VIP: always for the same container and interface, so that there is one
 * reservation for each network. `address` is requested as host-local and static take it.
 */
export function sourceVipSystem(
  system: System,
  { cniPath = defaultCniPath(system) }: CniPathFlag,
  address?: string,
): System {
  const { containerID, ifname } = sourceVipHolder;
  const environment = {
    ...withoutCniVariables(system.environment),
    CNI_PATH: cniPath,
    CNI_CONTAINERID: containerID,
    CNI_NETNS: containerID,
    CNI_IFNAME: ifname,
    ...(address !== undefined && { CNI_ARGS: `IgnoreUnknown=1;IP=${address}` }),
  };
  return { ...system, environment };
}

/** What the IPAM plugin has reserved for a source VIP. */
export type ReservedSourceVip =
  | { readonly is: 'reserved'; readonly address: string }
  | { readonly is: 'absent' | 'unknown' };

/**
 * What host-local has reserved for the source VIP of a configuration's network; `unknown` for another IPAM plugin, which keeps its
 * records elsewhere.
 */
export function reservedSourceVip(config: JsonObject, session: Session): ReservedSourceVip {
  const store = findStore(config, session);
  if (store === undefined) return { is: 'unknown' };
  const { containerID, ifname } = sourceVipHolder;
  const own = readReservations(store, session).reservations.find(
    (one) => one.container === containerID && one.interface === ifname,
  );
  return own === undefined ? { is: 'absent' } : { is: 'reserved', address: own.address };
}
