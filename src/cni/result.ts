import { type Family, familyOf } from '../net/address.ts';
import { CniError, code } from './error.ts';
import { type CniVersion, isAtLeast } from './version.ts';

/** https://www.cni.dev/docs/spec/#add-success */
export interface Interface {
  readonly name: string;
  readonly mac?: string;
  readonly mtu?: number;
  readonly sandbox?: string;
  readonly socketPath?: string;
  readonly pciID?: string;
}

/** `interface` is an index into the result's interfaces; `address` is CIDR notation with its host bits. */
export interface Ip {
  readonly address: string;
  readonly gateway?: string;
  readonly interface?: number;
}

/** A route in a result. Without `gw`, the default gateway of its family. */
export interface Route {
  readonly dst: string;
  readonly gw?: string;
  readonly mtu?: number;
  readonly advmss?: number;
  readonly priority?: number;
  readonly table?: number;
  readonly scope?: number;
}

/** DNS settings in a configuration or result. */
export interface Dns {
  readonly nameservers?: readonly string[];
  readonly domain?: string;
  readonly search?: readonly string[];
  readonly options?: readonly string[];
}

/** CNI's result (specification, section 5, "Success"), independent of a version. */
export interface Result {
  readonly interfaces: readonly Interface[];
  readonly ips: readonly Ip[];
  readonly routes: readonly Route[];
  readonly dns: Dns;
}

/** The result of a chained plugin: the previous result, then win-hcn's own with shifted interface indexes. */
export function appendResult(previous: Result, own: Result): Result {
  const moved = own.ips.map((ip) =>
    ip.interface === undefined ? ip : { ...ip, interface: ip.interface + previous.interfaces.length },
  );
  return {
    interfaces: [...previous.interfaces, ...own.interfaces],
    ips: [...previous.ips, ...moved],
    routes: [...previous.routes, ...own.routes],
    dns: mergeDns(own.dns, previous.dns),
  };
}

/**
 * The result in the format of a version, without empty members and with zeros that have a meaning. Before 1.0.0 `dns` is always
 * present, and an interface has only name, mac and sandbox. Before 0.3.0 there are no interfaces and at most one address of each
 * family, with the routes of that family.
 */
export function renderResult(result: Result, version: CniVersion): object {
  if (!isAtLeast(version, '0.3.0')) return renderLegacy(result, version);
  const modern = isAtLeast(version, '1.0.0');
  const interfaces = result.interfaces.map(({ name, mac, sandbox, mtu, ...rest }) => ({
    name,
    ...withoutEmpty({ mac, sandbox, ...(modern ? { mtu: mtu || undefined, ...rest } : {}) }),
  }));
  const ips = result.ips.map((ip) =>
    withoutEmpty({
      ...(modern ? {} : { version: familyOf(ip.address) === 'IPv6' ? '6' : '4' }),
      interface: ip.interface,
      address: ip.address,
      gateway: ip.gateway,
    }),
  );
  return {
    cniVersion: version,
    ...(interfaces.length === 0 ? {} : { interfaces }),
    ...(ips.length === 0 ? {} : { ips }),
    ...(result.routes.length === 0 ? {} : { routes: result.routes.map(renderRoute) }),
    ...(modern && isEmpty(result.dns) ? {} : { dns: withoutEmpty({ ...result.dns }) }),
  };
}

function renderLegacy({ ips, routes, dns }: Result, version: CniVersion): object {
  const ofFamily = (family: Family): object | undefined => {
    const ip = ips.find(({ address }) => familyOf(address) === family);
    if (ip === undefined) return undefined;
    const own = routes
      .filter(({ dst }) => familyOf(dst) === family)
      .map(({ dst, gw }) => withoutEmpty({ dst, gw }));
    return withoutEmpty({ ip: ip.address, gateway: ip.gateway, routes: own });
  };
  if (ips.length === 0) {
    throw new CniError(code.invalidConfig, `a result without addresses does not exist in version ${version}`);
  }
  return {
    cniVersion: version,
    ...withoutEmpty({ ip4: ofFamily('IPv4'), ip6: ofFamily('IPv6') }),
    dns: withoutEmpty({ ...dns }),
  };
}

/** Zero means "not set" for `mtu`, `advmss` and `priority`; for `table` and `scope` it is a value. */
function renderRoute({ dst, gw, mtu, advmss, priority, table, scope }: Route): object {
  return withoutEmpty({
    dst,
    gw,
    mtu: mtu || undefined,
    advmss: advmss || undefined,
    priority: priority || undefined,
    table,
    scope,
  });
}

/** Merges DNS settings by member; the first has precedence. */
export function mergeDns(first: Dns, second: Dns): Dns {
  return { ...second, ...withoutEmpty({ ...first }) };
}

/** Whether DNS settings have no entry. */
export function isEmpty(dns: Dns): boolean {
  return Object.keys(withoutEmpty({ ...dns })).length === 0;
}

function withoutEmpty(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = ([, value]: [string, unknown]) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(present));
}
