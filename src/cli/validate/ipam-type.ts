import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { nearestOf } from '../../config/schema-problems.ts';
import type { Check } from './checked-config.ts';

/** IPAM plugins of the CNI project and of others. */
const known = ['host-local', 'static', 'dhcp', 'whereabouts', 'calico-ipam', 'azure-vnet-ipam', 'azure-cns'];

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
  const others = [...installed, ...known].filter((other) => other !== name);
  const meant = nearestOf(name, others, name.length / 4);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  const path = place('/ipam/type');
  if (searched.length > 0) {
    const where = searched.map(
      (folder) => `${folder.path} (plugins: ${folder.plugins.join(', ') || 'none'})`,
    );
    return [{ path, text: `${path} is "${given}", which is not in ${where.join(' or ')}${hint}` }];
  }
  if (meant === undefined || known.includes(name)) return [];
  return [{ path, text: `${path} is "${given}", which is not a known IPAM plugin${hint}` }];
};
