import { readIpamType } from '../../config/essential-keys.ts';
import { foldKeys, isObject, type JsonObject } from '../../json/members.ts';
import { newStepTargets } from '../../plugin/command-context.ts';
import type { StepTargets } from '../../steps/changes.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import type { Session } from '../terminal/session.ts';
import {
  type CniPathFlag,
  type ReservedSourceVip,
  reservedSourceVip,
  sourceVipSystem,
} from './source-vip-ipam.ts';

/** The IPAM plugin that releases the address of a network's source VIP. */
export interface SourceVipRelease {
  /** The type of the IPAM plugin. */
  readonly plugin: string;
  readonly reserved: ReservedSourceVip;
  readonly targets: StepTargets;
}

/** Reads from a configuration file how to release its source VIP; undefined if it has none, or no IPAM plugin. */
export function readSourceVipRelease(
  file: string,
  flags: CniPathFlag,
  session: Session,
): SourceVipRelease | undefined {
  const { value } = readConfigFile(session.read(file));
  const { system } = session;
  const configs = (isObject(value) ? pluginsIn(value, system.executable) : [])
    .filter(({ ours }) => ours)
    .map((plugin) => plugin.config);
  return sourceVipReleaseIn(configs, flags, session);
}

/** Reads it from the first of these plugin configurations that has a source VIP. */
export function sourceVipReleaseIn(
  configs: readonly JsonObject[],
  flags: CniPathFlag,
  session: Session,
): SourceVipRelease | undefined {
  const config = configs.find((one) => foldKeys(one)['sourcevip'] === true);
  const plugin = config && readIpamType(config);
  if (config === undefined || plugin === undefined) return undefined;
  const targets = newStepTargets(
    'DEL',
    config,
    JSON.stringify(config),
    sourceVipSystem(session.system, flags),
    () => undefined,
  );
  return { plugin, reserved: reservedSourceVip(config, session), targets };
}
