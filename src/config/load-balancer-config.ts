import type { JsonObject } from '../json/members.ts';
import { type Family, familyOf, isHostAddress } from '../net/address.ts';
import { protocolNumbers } from '../net/protocols.ts';
import type { Backend, Port } from './generated/load-balancer.ts';
import { knownKeys } from './generated/load-balancer-keys.ts';
import { validate } from './generated/load-balancer-validate.ts';
import { normalizeCase } from './known-keys.ts';
import { collectProblems, type Problems } from './problems.ts';
import { validated } from './schema-problems.ts';
import { readAddress, readPortRange, readUnicastMac } from './values.ts';

/** The MAC and provider addresses are for a remote endpoint; without effect if the node has an endpoint for the backend. */
export interface BackendConfig {
  readonly address: string;
  readonly macAddress?: string;
  readonly providerAddress?: string;
}

/** One port of a load balancer, and the backends' port behind it. */
export interface LoadBalancerPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  readonly targetPort: number;
}

/** A load balancer's configuration in canonical text. All addresses but provider addresses are of `family`. */
export interface LoadBalancerConfig {
  readonly name: string;
  readonly network: string;
  readonly family: Family;
  /** Empty means the node's own addresses. */
  readonly frontendVIPs: readonly string[];
  readonly sourceVIP: string | undefined;
  readonly sessionAffinity: 'None' | 'SourceIPProtocol' | 'SourceIP';
  readonly directServerReturn: boolean;
  readonly internalLoadBalancer: boolean;
  readonly preserveDip: boolean;
  readonly localRoutedVip: boolean;
  readonly ports: readonly LoadBalancerPort[];
  readonly backends: readonly BackendConfig[];
}

/**
 * Reads a load balancer's configuration. Throws code 7 (code 2 for an unknown key) with the JSON pointer, the given and the expected
 * value; further problems are in the details.
 */
export function readLoadBalancer(json: JsonObject): LoadBalancerConfig {
  const problems = collectProblems('load balancer configuration');
  const given = validated(normalizeCase(json, knownKeys), validate, problems);
  const frontendVIPs = (given.frontendVIPs ?? []).map((vip, index) =>
    readHostAddress(vip, `/frontendVIPs/${index}`, problems),
  );
  const sourceVIP =
    given.sourceVIP === undefined ? undefined : readHostAddress(given.sourceVIP, '/sourceVIP', problems);
  const backends = given.backends.map((backend, index) => readBackend(backend, index, problems));
  const placed = [
    ...frontendVIPs.map((address, index) => ({ address, path: `/frontendVIPs/${index}` })),
    ...(sourceVIP === undefined ? [] : [{ address: sourceVIP, path: '/sourceVIP' }]),
    ...backends.map(({ address }, index) => ({ address, path: backendPath(given.backends, index) })),
  ].filter(({ address }) => address !== '');
  refuseRepeated(placed, '/frontendVIPs/', problems);
  refuseRepeated(placed, '/backends/', problems);
  refuseMixed(placed, problems);
  const ports = readPorts(given.ports, problems);
  problems.throwIfAny();
  return {
    name: given.name,
    network: given.network,
    family: familyOf(placed[0]?.address ?? ''),
    frontendVIPs,
    sourceVIP,
    sessionAffinity: given.sessionAffinity ?? 'None',
    directServerReturn: given.directServerReturn ?? false,
    internalLoadBalancer: given.internalLoadBalancer ?? false,
    preserveDip: given.preserveDip ?? false,
    localRoutedVip: given.localRoutedVip ?? false,
    ports,
    backends,
  };
}

interface Placed {
  readonly address: string;
  readonly path: string;
}

function readBackend(given: Backend, index: number, problems: Problems): BackendConfig {
  const path = `/backends/${index}`;
  if (typeof given === 'string') return { address: readHostAddress(given, path, problems) };
  const { macAddress, providerAddress } = given;
  const provider = `${path}/providerAddress`;
  return {
    address: readHostAddress(given.address, `${path}/address`, problems),
    ...(macAddress !== undefined && {
      macAddress: readUnicastMac(macAddress, `${path}/macAddress`, problems),
    }),
    ...(providerAddress !== undefined && {
      providerAddress: readHostAddress(providerAddress, provider, problems),
    }),
  };
}

function backendPath(backends: readonly Backend[], index: number): string {
  return typeof backends[index] === 'string' ? `/backends/${index}` : `/backends/${index}/address`;
}

function readHostAddress(text: string, path: string, problems: Problems): string {
  const address = readAddress(text, path, problems);
  if (address !== '' && !isHostAddress(address)) {
    problems.invalid(path, text, 'a unicast address that is not a loopback address');
  }
  return address;
}

function refuseRepeated(placed: readonly Placed[], list: string, problems: Problems): void {
  const seen = new Map<string, string>();
  for (const { address, path } of placed.filter(({ path }) => path.startsWith(list))) {
    const first = seen.get(address);
    if (first !== undefined) problems.invalid(path, address, `an address other than that of ${first}`);
    seen.set(address, first ?? path);
  }
}

/** A load balancer has one family: HCN has one IPv6 flag for all of it. */
function refuseMixed([first, ...others]: readonly Placed[], problems: Problems): void {
  if (first === undefined) return;
  const family = familyOf(first.address);
  for (const { address, path } of others.filter((other) => familyOf(other.address) !== family)) {
    problems.invalid(path, address, `an ${family} address like ${first.path}`);
  }
}

const maximumPorts = 1000;

/** The ports of every entry, with ranges expanded, in the order of the configuration. */
function readPorts(entries: readonly Port[], problems: Problems): readonly LoadBalancerPort[] {
  const read = entries.map((entry, index) => readPortEntry(entry, `/ports/${index}`, problems));
  read.forEach((entry, index) => {
    const other = read.slice(0, index).findIndex((candidate) => overlap(entry, candidate));
    if (other < 0) return;
    const expected = `${entry.protocol} ports that do not overlap those of /ports/${other}`;
    problems.invalid(`/ports/${index}/port`, entries[index]?.port, expected);
  });
  const total = read.reduce((sum, { ports }) => sum + widthOf(ports), 0);
  if (total > maximumPorts) {
    problems.invalid('/ports', `${total} ports`, `at most ${maximumPorts}, counting every port of a range`);
    return [];
  }
  return read.flatMap(({ protocol, ports, targets }) =>
    Array.from({ length: widthOf(ports) }, (_, index) => ({
      protocol,
      port: ports.first + index,
      targetPort: targets.first + index,
    })),
  );
}

/** Both 0 for an invalid range. */
interface PortRange {
  readonly first: number;
  readonly last: number;
}

interface PortEntry {
  readonly protocol: 'tcp' | 'udp';
  readonly ports: PortRange;
  readonly targets: PortRange;
}

function readPortEntry({ protocol, port, targetPort }: Port, path: string, problems: Problems): PortEntry {
  const ports = readRange(port, `${path}/port`, problems);
  const targets = targetPort === undefined ? ports : readRange(targetPort, `${path}/targetPort`, problems);
  if (ports.first > 0 && targets.first > 0 && widthOf(targets) !== widthOf(ports)) {
    const expected = `as many ports as in port, which is ${widthOf(ports)}`;
    problems.invalid(`${path}/targetPort`, targetPort, expected);
  }
  const isTcp = protocol === 'tcp' || protocol === protocolNumbers.tcp;
  return { protocol: isTcp ? 'tcp' : 'udp', ports, targets };
}

function readRange(given: number | string, path: string, problems: Problems): PortRange {
  const [first = 0, last = first] = readPortRange(given, path, problems).split('-').map(Number);
  return { first, last };
}

function widthOf({ first, last }: PortRange): number {
  return last - first + 1;
}

function overlap(one: PortEntry, other: PortEntry): boolean {
  const [a, b] = [one.ports, other.ports];
  if (one.protocol !== other.protocol || a.first === 0) return false;
  return a.first <= b.last && b.first <= a.last;
}
