import { readIpamType, sourceVipHolder } from '../../config/essential-keys.ts';
import { foldKeys, type JsonObject } from '../../json/members.ts';
import { newStepTargets } from '../../plugin/command-context.ts';
import type { StepTargets } from '../../steps/changes.ts';
import type { System } from '../../system.ts';
import { findStore, readReservations } from '../gc/reservations.ts';
import { defaultCniPath } from '../plugin/plugin-input.ts';
import { withoutCniVariables } from '../plugin/run-plugin.ts';
import type { Session } from '../terminal/session.ts';

/** `--cni-path`. */
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

/** The IPAM plugin that releases the address of a network's source VIP. */
export interface SourceVipRelease {
  /** The type of the IPAM plugin. */
  readonly plugin: string;
  readonly reserved: ReservedSourceVip;
  readonly targets: StepTargets;
}

/** How to release the source VIP of the first of these plugin configurations that has one; undefined if none has, or no IPAM plugin. */
export function sourceVipReleaseIn(
  configs: readonly JsonObject[],
  flags: CniPathFlag,
  session: Session,
): SourceVipRelease | undefined {
  const config = configs.find((one) => foldKeys(one)['sourcevip'] === true);
  const plugin = config && readIpamType(config);
  if (config === undefined || plugin === undefined) return undefined;
  const system = sourceVipSystem(session.system, flags);
  const targets = newStepTargets('DEL', config, JSON.stringify(config), system, () => undefined);
  return { plugin, reserved: reservedSourceVip(config, session), targets };
}
