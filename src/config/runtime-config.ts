import { findCniArg } from '../cni/request.ts';
import type { Dns } from '../cni/result.ts';
import { foldKeys, isObject } from '../json/members.ts';
import { parseMac } from '../net/mac.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import { readAddress } from './endpoint-members.ts';
import type { AttachmentConfig } from './network-config.ts';
import { readPortMappings } from './port-mappings.ts';
import type { Problems } from './problems.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads what the runtime asks for one attachment. `runtimeConfig` by CNI's conventions comes before `args.cni`, and that before
 * CNI_ARGS. Keys are matched without case (containerd writes `HostPort`, podman `hostPort`); null and empty mean nothing.
 */
export function readAttachmentConfig(json: Json, cniArgs: string, problems: Problems): AttachmentConfig {
  const runtime = members(json['runtimeConfig']);
  const args = members(members(json['args'])['cni']);
  const mac = firstGiven(
    ['/runtimeConfig/mac', runtime['mac']],
    ['/args/cni/mac', args['mac']],
    ['CNI_ARGS', findCniArg(cniArgs, 'MAC')],
  );
  const ips = firstGiven(
    ['/runtimeConfig/ips', runtime['ips']],
    ['/args/cni/ips', args['ips']],
    ['CNI_ARGS', findCniArg(cniArgs, 'IP')?.split(',')],
  );
  refuseRanges(runtime['ipranges'], json, problems);
  return {
    portMappings: readPortMappings(runtime['portmappings'], problems),
    egressBytes: readBandwidth(runtime['bandwidth'], problems),
    macAddress: mac && readMac(...mac, problems),
    addresses: ips === undefined ? [] : readAddresses(...ips, problems),
  };
}

type Given = readonly [path: string, value: unknown];

/** The first that is there and not empty. */
function firstGiven(...candidates: readonly Given[]): Given | undefined {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmpty));
  return candidates.find(([, value]) => !isEmpty(value));
}

/** The `dns` capability. Only lists that are there and not empty take the place of the configuration's. */
export function readRuntimeDns(json: Json, problems: Problems): Dns {
  const dns = members(members(json['runtimeConfig'])['dns']);
  const named = { nameservers: 'servers', search: 'searches', options: 'options' };
  const lists = Object.entries(named).map(([key, convention]) => {
    const path = `/runtimeConfig/dns/${convention}`;
    const value = dns[convention] ?? [];
    const texts = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
    if (texts === undefined) problems.value(path, value, 'a list of strings');
    return [
      key,
      convention === 'servers' ? texts?.map((server) => readAddress(server, path, problems)) : texts,
    ] as const;
  });
  return Object.fromEntries(lists.filter(([, value]) => value !== undefined && value.length > 0));
}

/** Rates are bits a second, seen from the container; HCN limits what an endpoint sends and knows no bursts. */
function readBandwidth(value: unknown, problems: Problems): number | undefined {
  const path = '/runtimeConfig/bandwidth';
  if (value !== undefined && value !== null && !isObject(value)) problems.value(path, value, 'an object');
  const { ingressrate: ingress = 0, egressrate: egress = 0 } = members(value);
  if (ingress !== 0 && ingress !== null) {
    problems.unsupported(`${path}/ingressRate`, ingress, 'HCN limits only what an endpoint sends');
  }
  if (egress === 0 || egress === null) return undefined;
  if (typeof egress === 'number' && egress >= 8) return Math.floor(egress / 8);
  problems.value(`${path}/egressRate`, egress, 'bits a second, at least 8');
  return undefined;
}

function readMac(path: string, value: unknown, problems: Problems): string | undefined {
  const mac = typeof value === 'string' ? parseMac(value) : undefined;
  if (mac === undefined) problems.value(path, value, 'a MAC address such as 00-15-5D-0A-0B-0C');
  return mac;
}

/** Addresses with or without a prefix length. */
function readAddresses(path: string, values: unknown, problems: Problems): readonly string[] {
  if (!Array.isArray(values)) {
    problems.value(path, values, 'a list of IP addresses');
    return [];
  }
  return values.map((value) => {
    const prefix = typeof value === 'string' ? parsePrefix(value) : undefined;
    return prefix === undefined ? readAddress(value, path, problems) : formatPrefix(prefix);
  });
}

/** Ranges are for an IPAM plugin; HNS assigns from whole subnets. */
function refuseRanges(ranges: unknown, json: Json, problems: Problems): void {
  const delegated = isObject(json['ipam']) && Boolean(json['ipam']['type']);
  if (delegated || !Array.isArray(ranges) || ranges.length === 0) return;
  const path = '/runtimeConfig/ipRanges';
  problems.unsupported(path, ranges, 'only an IPAM plugin can assign from ranges');
}

function members(value: unknown): Json {
  return isObject(value) ? foldKeys(value) : {};
}
