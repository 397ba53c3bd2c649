import { readIpamType } from '../../../config/essential-keys.ts';
import { pluginName } from '../../../config/open-config.ts';
import { nearestOf } from '../../../config/schema-problems.ts';
import { escapeToken } from '../../../config/source-paths.ts';
import { isObject } from '../../../json/members.ts';
import { defaultFolders } from '../../containerd/config.ts';
import type { Session } from '../../terminal/session.ts';
import type { Check, PluginFolders } from './check.ts';

/** Folders whose content is unknown. */
export const unknownFolders: PluginFolders = { areGiven: false, folders: [] };

/** The default folders of containerd and of Kubernetes installers. */
const usualFolders = [...defaultFolders.binDirs, 'C:\\opt\\cni\\bin'];

/** Lists the folders of CNI_PATH, or the default ones if it is not set. */
export function readPluginFolders({ system, terminal }: Session): PluginFolders {
  const given = (system.environment['CNI_PATH'] ?? '').split(system.windows ? ';' : ':').filter(Boolean);
  const areGiven = given.length > 0;
  const folders = (areGiven ? given : usualFolders).flatMap((path) => {
    try {
      // Plugins end with `.exe` on Windows, and have no extension elsewhere.
      const programs = terminal.listFolder(path).filter((name) => /\.exe$|^[^.]+$/i.test(name));
      return [{ path, plugins: [...new Set(programs.map(pluginName))].sort() }];
    } catch {
      return [];
    }
  });
  return { areGiven, folders };
}

/** https://www.cni.dev/docs/conventions/, and the one of containerd. Runtimes compare names case-sensitively. */
const capabilityNames = [
  'portMappings',
  'ipRanges',
  'bandwidth',
  'dns',
  'ips',
  'mac',
  'infinibandGUID',
  'deviceID',
  'aliases',
  'cgroupPath',
  'io.kubernetes.cri.pod-annotations',
];

/** Warns about capabilities that are probably misspelled. Other names may belong to a runtime. */
export const warnOfCapabilities: Check = ({ json: { capabilities }, place }) =>
  Object.entries(isObject(capabilities) ? capabilities : {}).flatMap(([name, enabled]) => {
    const meant = nearestOf(name, capabilityNames, name.length / 4);
    if (enabled !== true || meant === undefined || meant === name) return [];
    const path = place(`/capabilities/${escapeToken(name)}`);
    const text = `${path} is not a known capability, so the runtime passes no values; did you mean "${meant}"?`;
    return [{ path, text, isKey: true }];
  });

/** IPAM plugins of the CNI project and of others. */
const knownIpam = [
  'host-local',
  'static',
  'dhcp',
  'whereabouts',
  'calico-ipam',
  'azure-vnet-ipam',
  'azure-cns',
];

/**
 * Warns about an IPAM plugin that is not installed or probably misspelled. Folders that are not given count if they have the plugin
 * itself: a runtime finds both in the same folders.
 */
export const warnOfIpamType: Check = ({ json, type, folders: { areGiven, folders }, place }) => {
  const given = readIpamType(json);
  const name = pluginName(given ?? '');
  const installed = folders.flatMap(({ plugins }) => plugins);
  if (given === undefined || installed.includes(name)) return [];
  const searched = folders.filter(({ plugins }) => areGiven || plugins.includes(pluginName(type)));
  const others = [...installed, ...knownIpam].filter((other) => other !== name);
  const meant = nearestOf(name, others, name.length / 4);
  const isWrong = searched.length > 0 || (meant !== undefined && !knownIpam.includes(name));
  if (!isWrong) return [];
  const places = searched.map(
    ({ path, plugins }) => `which is not in ${path} (plugins: ${plugins.join(', ') || 'none'})`,
  );
  const why = places.join(' or ') || 'which is not a known IPAM plugin';
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  const path = place('/ipam/type');
  return [{ path, text: `${path} is "${given}", ${why}${hint}` }];
};
