import { foldKeys } from '../../cni/text.ts';
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
 * The dialect of a configuration: by its `type`, or by the name of the executable, which is the same where a runtime runs us in
 * another plugin's place. Undefined is our own vocabulary, which `networkType` tells.
 */
export function dialectOf(given: Json, executable: string): Dialect | undefined {
  const { networktype: networkType, type } = foldKeys(given);
  if (networkType !== undefined && networkType !== null) return undefined;
  return dialectNamed(typeof type === 'string' ? type : '') ?? dialectNamed(executable);
}

/** By a plugin's name, or by a path to its executable. */
function dialectNamed(plugin: string): Dialect | undefined {
  const name = plugin.split(/[\\/]/).at(-1) ?? '';
  return dialects.get(name.replace(/\.exe$/i, '').toLowerCase());
}

function networkTypeNamed(name: unknown): unknown {
  return (
    networkTypes.find((type) => typeof name === 'string' && name.toLowerCase() === type.toLowerCase()) ?? name
  );
}
