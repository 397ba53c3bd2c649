import { foldKeys } from '../../json/members.ts';
import { networkTypes } from '../network-config.ts';
import type { Dialect, Json } from './dialect.ts';
import { sdn } from './sdn.ts';
import { winBridge, winOverlay } from './win-bridge.ts';

/**
 * By the plugin's name, in lower case. HCN's own names of network types are what sdnbridge and its like are configured with too;
 * wincni, their forerunner, went by the network's name.
 */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['win-bridge', winBridge],
  ['win-l2bridge', winBridge],
  ['win-overlay', winOverlay],
  ['sdnbridge', sdn(() => 'L2Bridge')],
  ['sdnoverlay', sdn(() => 'Overlay')],
  ['wincni', sdn(networkTypeNamed)],
  ...networkTypes.map((type) => [type.toLowerCase(), sdn(() => type)] as const),
]);

/**
 * The name of a configuration's dialect: by its `type`, or by the name of the executable, which is the same where a runtime runs us in
 * another plugin's place. Undefined is our own vocabulary, which `networkType` tells.
 */
export function dialectNameOf(given: Json, executable: string): string | undefined {
  const { networktype: networkType, type } = foldKeys(given);
  if (networkType !== undefined && networkType !== null) return undefined;
  return [typeof type === 'string' ? type : '', executable]
    .map(pluginName)
    .find((name) => dialects.has(name));
}

/** The dialect of that name. */
export function dialectOf(given: Json, executable: string): Dialect | undefined {
  const name = dialectNameOf(given, executable);
  return name === undefined ? undefined : dialects.get(name);
}

/** The name by which a plugin is configured, in lower case, given that name or a path to its executable. */
export function pluginName(plugin: string): string {
  const name = plugin.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.exe$/, '');
}

function networkTypeNamed(name: unknown): unknown {
  return (
    networkTypes.find((type) => typeof name === 'string' && name.toLowerCase() === type.toLowerCase()) ?? name
  );
}
