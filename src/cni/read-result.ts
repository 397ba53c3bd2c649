import { isObject, type JsonFormat, type Members, readMembers } from '../json/members.ts';
import { parseAddress } from '../net/address.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import { CniError, code } from './error.ts';
import type { Dns, Interface, Ip, Result, Route } from './result.ts';

/**
 * Reads another plugin's result (an IPAM plugin's stdout, or `prevResult`) of any version. The case of keys is ignored, null means
 * absent, and addresses are returned in canonical text. An interface index outside `interfaces` is dropped, because it would crash a
 * runtime. `source` names the result in errors, which have code 6.
 */
export function readResult(value: unknown, source: string): Result {
  const members = readMembers(value, source, resultFormat);
  const { ips, ip4, ip6 } = members.json;
  const dns = readDns(members.object('dns'));
  if (ips === undefined && (isObject(ip4) || isObject(ip6)))
    return { interfaces: [], ...readLegacy(members), dns };
  const interfaces = members.findList('interfaces', readInterface);
  return {
    interfaces,
    ips: members.findList('ips', (ip) => readIp(ip, interfaces.length)),
    routes: members.findList('routes', readRoute),
    dns,
  };
}

const resultFormat: JsonFormat = {
  foldsKeys: true,
  refuse: (path, found, expected) => {
    const state = found === undefined ? 'missing' : JSON.stringify(found);
    return new CniError(code.decodingFailure, `${path} is ${state}, expected ${expected}`, {
      unquoted: `${path} is not ${expected}`,
    });
  },
};

/** Before 0.3.0: one address of each family, with its routes in it. */
function readLegacy(members: Members): Pick<Result, 'ips' | 'routes'> {
  const families = ['ip4', 'ip6'].flatMap((key) => {
    if (members.find(key, 'an object') === undefined) return [];
    const family = members.object(key);
    const ip: Ip = defined({ address: cidr(family, 'ip'), gateway: address(family, 'gateway') });
    return [{ ip, routes: family.findList('routes', readRoute) }];
  });
  return { ips: families.map(({ ip }) => ip), routes: families.flatMap(({ routes }) => routes) };
}

function readInterface(members: Members): Interface {
  return defined({
    name: members.find('name', 'a string') ?? '',
    mac: members.find('mac', 'a string'),
    mtu: members.find('mtu', 'an integer'),
    sandbox: members.find('sandbox', 'a string'),
    socketPath: members.find('socketpath', 'a string'),
    pciID: members.find('pciid', 'a string'),
  });
}

function readIp(members: Members, interfaceCount: number): Ip {
  const index = members.find('interface', 'an integer');
  return defined({
    address: cidr(members, 'address'),
    gateway: address(members, 'gateway'),
    interface: index !== undefined && index >= 0 && index < interfaceCount ? index : undefined,
  });
}

function readRoute(members: Members): Route {
  return defined({
    dst: cidr(members, 'dst'),
    gw: address(members, 'gw'),
    mtu: members.find('mtu', 'an integer'),
    advmss: members.find('advmss', 'an integer'),
    priority: members.find('priority', 'an integer'),
    table: members.find('table', 'an integer'),
    scope: members.find('scope', 'an integer'),
  });
}

function readDns(members: Members): Dns {
  return defined({
    nameservers: members.find('nameservers', 'a list of strings'),
    domain: members.find('domain', 'a string'),
    search: members.find('search', 'a list of strings'),
    options: members.find('options', 'a list of strings'),
  });
}

function cidr(members: Members, key: string): string {
  const prefix = parsePrefix(members.find(key, 'a string') ?? '');
  if (prefix === undefined) throw members.refusal(key, 'an address with a prefix length');
  return formatPrefix(prefix);
}

function address(members: Members, key: string): string | undefined {
  const value = members.find(key, 'a string') ?? '';
  if (value === '') return undefined;
  const parsed = parseAddress(value);
  if (parsed === undefined) throw members.refusal(key, 'an IP address');
  return parsed;
}

/** Removes undefined members, so that the printed result does not have them. */
function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
