import { parseAddress } from '../net/address.ts';
import { formatPrefix, parsePrefix } from '../net/prefix.ts';
import { CniError, code } from './error.ts';
import type { Dns, Interface, Ip, Result, Route } from './result.ts';
import { foldKeys, isObject } from './text.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a result another plugin made (an IPAM plugin's stdout, or `prevResult`), in the shape of any version. Keys are matched
 * without case, null means absent, addresses come out in canonical text, and an interface index that points outside
 * `interfaces` is dropped: it would crash a runtime. `what` names the source in errors; they have code 6.
 */
export function readResult(value: unknown, what: string): Result {
  const members = foldKeys(expectObject(value, what));
  const dns = readDns(members['dns'], `${what}.dns`);
  const isLegacy = members['ips'] === undefined && (isObject(members['ip4']) || isObject(members['ip6']));
  if (isLegacy) return { interfaces: [], ...readLegacy(members, what), dns };
  const interfaces = readList(members, 'interfaces', what, readInterface);
  return {
    interfaces,
    ips: readList(members, 'ips', what, (ip, path) => readIp(ip, interfaces.length, path)),
    routes: readList(members, 'routes', what, readRoute),
    dns,
  };
}

/** Before 0.3.0: one address of each family with its routes inside. */
function readLegacy(members: Members, what: string): Pick<Result, 'ips' | 'routes'> {
  const families = ['ip4', 'ip6'].flatMap((key) => {
    const value = members[key];
    if (value === undefined || value === null) return [];
    const path = `${what}.${key}`;
    const family = foldKeys(expectObject(value, path));
    const ip: Ip = defined({ address: cidr(family, 'ip', path), gateway: address(family, 'gateway', path) });
    return [{ ip, routes: readList(family, 'routes', path, readRoute) }];
  });
  return { ips: families.map(({ ip }) => ip), routes: families.flatMap(({ routes }) => routes) };
}

function readInterface(members: Members, what: string): Interface {
  return defined({
    name: text(members, 'name', what) ?? '',
    mac: text(members, 'mac', what),
    mtu: integer(members, 'mtu', what),
    sandbox: text(members, 'sandbox', what),
    socketPath: text(members, 'socketpath', what),
    pciID: text(members, 'pciid', what),
  });
}

function readIp(members: Members, interfaceCount: number, what: string): Ip {
  const index = integer(members, 'interface', what);
  return defined({
    address: cidr(members, 'address', what),
    gateway: address(members, 'gateway', what),
    interface: index !== undefined && index >= 0 && index < interfaceCount ? index : undefined,
  });
}

function readRoute(members: Members, what: string): Route {
  return defined({
    dst: cidr(members, 'dst', what),
    gw: address(members, 'gw', what),
    mtu: integer(members, 'mtu', what),
    advmss: integer(members, 'advmss', what),
    priority: integer(members, 'priority', what),
    table: integer(members, 'table', what),
    scope: integer(members, 'scope', what),
  });
}

function readDns(value: unknown, what: string): Dns {
  if (value === undefined || value === null) return {};
  const members = foldKeys(expectObject(value, what));
  return defined({
    nameservers: texts(members, 'nameservers', what),
    domain: text(members, 'domain', what),
    search: texts(members, 'search', what),
    options: texts(members, 'options', what),
  });
}

function cidr(members: Members, key: string, what: string): string {
  const value = text(members, key, what) ?? '';
  const prefix = parsePrefix(value);
  if (prefix === undefined) throw wrong(`${what}.${key}`, value, 'an address with a prefix length');
  return formatPrefix(prefix);
}

function address(members: Members, key: string, what: string): string | undefined {
  const value = text(members, key, what) ?? '';
  if (value === '') return undefined;
  const parsed = parseAddress(value);
  if (parsed === undefined) throw wrong(`${what}.${key}`, value, 'an IP address');
  return parsed;
}

function text(members: Members, key: string, what: string): string | undefined {
  const value = members[key] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw wrong(`${what}.${key}`, value, 'a string');
  return value;
}

function texts(members: Members, key: string, what: string): readonly string[] | undefined {
  const value = members[key] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw wrong(`${what}.${key}`, value, 'a list of strings');
  }
  return value;
}

function integer(members: Members, key: string, what: string): number | undefined {
  const value = members[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw wrong(`${what}.${key}`, value, 'an integer');
  return value;
}

function readList<T>(
  members: Members,
  key: string,
  what: string,
  read: (item: Members, path: string) => T,
): readonly T[] {
  const value = members[key] ?? [];
  if (!Array.isArray(value)) throw wrong(`${what}.${key}`, value, 'a list');
  return value.map((item, index) => {
    const path = `${what}.${key}[${index}]`;
    return read(foldKeys(expectObject(item, path)), path);
  });
}

function expectObject(value: unknown, what: string): Members {
  if (!isObject(value)) throw wrong(what, value, 'an object');
  return value;
}

function wrong(where: string, found: unknown, expected: string): CniError {
  return new CniError(code.decodingFailure, `${where} is ${JSON.stringify(found)}, expected ${expected}`, {
    unquoted: `${where} is not ${expected}`,
  });
}

/** Drops undefined members, so that an absent one stays absent in the printed result. */
function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
