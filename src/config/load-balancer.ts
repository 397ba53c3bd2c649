import { CniError, code } from '../cni/error.ts';
import { type Family, familyOf, isHostAddress } from '../net/address.ts';
import { parseMac } from '../net/mac.ts';
import { readAddress } from './endpoint-members.ts';
import { foldCase } from './fold-case.ts';
import type { Backend, GivenLoadBalancer } from './generated/load-balancer.ts';
import { validate } from './generated/load-balancer-validate.js';
import { vocabulary } from './generated/load-balancer-vocabulary.ts';
import { type LoadBalancerPort, readLoadBalancerPorts } from './load-balancer-ports.ts';
import { Problems, throwIfAny } from './problems.ts';
import { schemaProblems } from './schema-problems.ts';

/** The MAC and provider address are for a remote endpoint, and mean nothing where the node has the backend itself. */
export interface BackendConfig {
  readonly address: string;
  readonly macAddress?: string;
  readonly providerAddress?: string;
}

/** What a load balancer's configuration means, in canonical text; every address but provider addresses is of `family`. */
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

const what = 'load balancer';

/**
 * Reads a load balancer's configuration. Throws code 7 (code 2 for an unknown key) naming the JSON pointer, what was found and what was
 * expected, with every further problem in the details.
 */
export function readLoadBalancer(json: Readonly<Record<string, unknown>>): LoadBalancerConfig {
  const given = validated(foldCase(json, vocabulary));
  const problems = new Problems(what);
  const address = (text: string, path: string): string => readHostAddress(text, path, problems);
  const frontendVIPs = (given.frontendVIPs ?? []).map((vip, index) => address(vip, `/frontendVIPs/${index}`));
  const sourceVIP = given.sourceVIP === undefined ? undefined : address(given.sourceVIP, '/sourceVIP');
  const backends = given.backends.map((backend, index) => readBackend(backend, index, problems));
  const placed = [
    ...frontendVIPs.map((address, index) => ({ address, path: `/frontendVIPs/${index}` })),
    ...(sourceVIP === undefined ? [] : [{ address: sourceVIP, path: '/sourceVIP' }]),
    ...backends.map(({ address }, index) => ({ address, path: backendPath(given.backends, index) })),
  ].filter(({ address }) => address !== '');
  refuseRepeated(placed, '/frontendVIPs/', problems);
  refuseRepeated(placed, '/backends/', problems);
  refuseMixed(placed, problems);
  const ports = readLoadBalancerPorts(given.ports, problems);
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

function validated(json: unknown): GivenLoadBalancer {
  if (validate(json)) return json;
  throwIfAny(schemaProblems(validate.errors ?? []), what);
  throw new CniError(code.internal, 'the load balancer is invalid, and its validator does not say why');
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
    ...(macAddress !== undefined && { macAddress: readMac(macAddress, `${path}/macAddress`, problems) }),
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
  if (address !== '' && !isHostAddress(address)) problems.value(path, text, 'an address a machine can have');
  return address;
}

function readMac(text: string, path: string, problems: Problems): string {
  const mac = parseMac(text);
  const isUnicast = mac !== undefined && Number.parseInt(mac.slice(0, 2), 16) % 2 === 0;
  if (!isUnicast) problems.value(path, text, 'a unicast MAC address such as 02-11-0A-00-00-02');
  return mac ?? text;
}

function refuseRepeated(placed: readonly Placed[], list: string, problems: Problems): void {
  const seen = new Map<string, string>();
  for (const { address, path } of placed.filter(({ path }) => path.startsWith(list))) {
    const first = seen.get(address);
    if (first !== undefined) problems.value(path, address, `an address other than that of ${first}`);
    seen.set(address, first ?? path);
  }
}

/** HCN has one flag for the family of a whole load balancer. */
function refuseMixed([first, ...others]: readonly Placed[], problems: Problems): void {
  if (first === undefined) return;
  const family = familyOf(first.address);
  for (const { address, path } of others.filter((other) => familyOf(other.address) !== family)) {
    problems.value(path, address, `an ${family} address, as ${first.path} is`);
  }
}
