import { foldKeys, isObject } from '../json/members.ts';
import { readAddress } from './endpoint-members.ts';
import type { PortMappingConfig } from './network-config.ts';
import type { Problems } from './problems.ts';

type Json = Readonly<Record<string, unknown>>;

/** The `portMappings` capability; mappings that are the same count once. */
export function readPortMappings(value: unknown, problems: Problems): readonly PortMappingConfig[] {
  if (value === undefined || value === null) return [];
  const path = '/runtimeConfig/portMappings';
  if (!Array.isArray(value)) {
    problems.value(path, value, 'a list');
    return [];
  }
  const mappings = value.map((item, index) =>
    readPortMapping(isObject(item) ? foldKeys(item) : {}, `${path}/${index}`, problems),
  );
  return [...new Map(mappings.map((mapping) => [JSON.stringify(mapping), mapping])).values()];
}

function readPortMapping(mapping: Json, path: string, problems: Problems): PortMappingConfig {
  const port = (key: string, name: string): number => {
    const value = mapping[key];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535) return value;
    problems.value(`${path}/${name}`, value, 'a port from 1 to 65535');
    return 0;
  };
  const given = mapping['protocol'] ?? 'tcp';
  const protocol = typeof given === 'string' ? given.toLowerCase() : undefined;
  if (protocol !== 'tcp' && protocol !== 'udp') {
    problems.value(`${path}/protocol`, given, '"tcp" or "udp"');
  }
  const hostIP = mapping['hostip'] ? readAddress(mapping['hostip'], `${path}/hostIP`, problems) : '';
  const family = hostIP === '0.0.0.0' ? 'IPv4' : hostIP === '::' ? 'IPv6' : undefined;
  return {
    protocol: protocol === 'udp' ? 'udp' : 'tcp',
    hostPort: port('hostport', 'hostPort'),
    containerPort: port('containerport', 'containerPort'),
    ...(family === undefined ? hostIP !== '' && { hostIP } : { family }),
  };
}
