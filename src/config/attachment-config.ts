import { usableDns } from '../cni/dns.ts';
import { findCniArg } from '../cni/request.ts';
import { foldKeys, isObject, type JsonObject } from '../json/members.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import type { AttachmentConfig, PortMappingConfig } from './network-config.ts';
import type { Problems } from './problems.ts';
import { readAddress, readUnicastMac } from './values.ts';

/**
 * Reads the runtime's settings of one attachment. `runtimeConfig` takes precedence over `args.cni`, and `args.cni` over CNI_ARGS.
 * Keys match without case (containerd sends `HostPort`, podman `hostPort`); null and empty values are absent.
 */
export function readAttachmentConfig(
  json: JsonObject,
  cniArgs: string,
  problems: Problems,
): AttachmentConfig {
  const runtime = members(json['runtimeConfig']);
  const args = members(members(json['args'])['cni']);
  const mac = firstGiven(
    ['/runtimeConfig/mac', runtime['mac']],
    ['/args/cni/mac', args['mac']],
    ['CNI_ARGS: MAC', findCniArg(cniArgs, 'MAC')],
  );
  const ips = firstGiven(
    ['/runtimeConfig/ips', runtime['ips']],
    ['/args/cni/ips', args['ips']],
    ['CNI_ARGS: IP', findCniArg(cniArgs, 'IP')?.split(',')],
  );
  refuseRanges(runtime['ipranges'], json, problems);
  return {
    portMappings: readPortMappings(runtime['portmappings'], problems),
    egressBytes: readBandwidth(runtime['bandwidth'], problems),
    macAddress: mac && readUnicastMac(mac.value, mac.path, problems),
    addresses: ips === undefined ? [] : readAddresses(ips.value, ips.path, problems),
  };
}

type Given = readonly [path: string, value: unknown];

function firstGiven(...candidates: readonly Given[]) {
  const isAbsent = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isAbsent));
  const [path, value] = candidates.find(([, value]) => !isAbsent(value)) ?? [];
  return path === undefined ? undefined : { path, value };
}

/** The `dns` capability. A list with a usable entry replaces that of the configuration. */
export function readRuntimeDns(json: JsonObject, problems: Problems): ReturnType<typeof usableDns> {
  const dns = members(members(json['runtimeConfig'])['dns']);
  const read = (key: string): readonly string[] => {
    const value = dns[key] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    problems.invalid(`/runtimeConfig/dns/${key}`, value, 'a list of strings');
    return [];
  };
  const lists = { nameservers: read('servers'), search: read('searches'), options: read('options') };
  return usableDns(lists, (path) => {
    const given = path.replace('nameservers', 'servers').replace('search', 'searches');
    return `/runtimeConfig/dns/${given}`;
  });
}

/** The `portMappings` capability. Equal mappings count once. */
function readPortMappings(value: unknown, problems: Problems): readonly PortMappingConfig[] {
  if (value === undefined || value === null) return [];
  const path = '/runtimeConfig/portMappings';
  if (!Array.isArray(value)) {
    problems.invalid(path, value, 'a list');
    return [];
  }
  const mappings = value.map((item, index) => readPortMapping(members(item), `${path}/${index}`, problems));
  return [...new Map(mappings.map((mapping) => [JSON.stringify(mapping), mapping])).values()];
}

function readPortMapping(mapping: JsonObject, path: string, problems: Problems): PortMappingConfig {
  const port = (key: string, name: string): number => {
    const value = mapping[key];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535) return value;
    const expected = 'a port from 1 to 65535';
    if (value === undefined) problems.add([{ kind: 'missing', path: `${path}/${name}`, expected }]);
    else problems.invalid(`${path}/${name}`, value, expected);
    return 0;
  };
  const given = mapping['protocol'] ?? 'tcp';
  const protocol = typeof given === 'string' ? given.toLowerCase() : undefined;
  if (protocol !== 'tcp' && protocol !== 'udp') {
    problems.invalid(`${path}/protocol`, given, '"tcp" or "udp"');
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

/** The `bandwidth` capability, in bits per second, seen from the container. HCN limits only egress, and has no bursts. */
function readBandwidth(value: unknown, problems: Problems): number | undefined {
  const path = '/runtimeConfig/bandwidth';
  if (value !== undefined && value !== null && !isObject(value)) problems.invalid(path, value, 'an object');
  const { ingressrate: ingress = 0, egressrate: egress = 0 } = members(value);
  if (ingress !== 0 && ingress !== null) {
    problems.unsupported(`${path}/ingressRate`, ingress, "HCN can limit only an endpoint's outgoing traffic");
  }
  if (egress === 0 || egress === null) return undefined;
  if (typeof egress === 'number' && egress >= 8) return Math.floor(egress / 8);
  problems.invalid(`${path}/egressRate`, egress, 'bits per second, at least 8');
  return undefined;
}

/** Addresses with or without a prefix length. */
function readAddresses(values: unknown, path: string, problems: Problems): readonly string[] {
  if (!Array.isArray(values)) {
    problems.invalid(path, values, 'a list of IP addresses');
    return [];
  }
  return values.map((value) => {
    const prefix = typeof value === 'string' ? parsePrefix(value) : undefined;
    return prefix === undefined ? readAddress(value, path, problems) : formatPrefix(prefix);
  });
}

/** The `ipRanges` capability is for IPAM plugins: HNS assigns addresses from whole subnets. */
function refuseRanges(ranges: unknown, json: JsonObject, problems: Problems): void {
  const delegated = isObject(json['ipam']) && Boolean(json['ipam']['type']);
  if (delegated || !Array.isArray(ranges) || ranges.length === 0) return;
  const path = '/runtimeConfig/ipRanges';
  problems.unsupported(path, ranges, 'only an IPAM plugin can assign addresses from ranges');
}

function members(value: unknown): JsonObject {
  return isObject(value) ? foldKeys(value) : {};
}
