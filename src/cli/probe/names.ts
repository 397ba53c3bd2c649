import type { Guid, Kind } from '../../hcn/guid.ts';
import { switchInAlias } from '../../net/host-adapter.ts';

/** Every network of a probe is named so, and every endpoint that has a name. */
const namePrefix = 'win-hcn-probe-';

/** Every ID of a probe starts so: `winhcn`, version 4, `probe`. Namespaces and load balancers have no name. */
const idPrefix = '77696e68-636e-4070-a072-6f6265';

/** A subnet of a probe's network. */
export interface Subnet {
  readonly prefix: string;
  readonly gateway: string;
  /** The n-th address after the gateway. */
  readonly address: (n: number) => string;
  /** Of an Overlay network. */
  readonly vsid: number;
}

/** Numbers the names and ids of one process. Starts at a random number, because HNS may free IDs late. */
let count = Math.floor(Math.random() * 0xff_ffff);

function next(): number {
  count = (count + 1) % 0x100_0000;
  return count;
}

export function newProbeName(): string {
  return `${namePrefix}${next()}`;
}

export function newProbeId<K extends Kind>(): Guid<K> {
  return `${idPrefix}${next().toString(16).padStart(6, '0')}`;
}

/** Ranges for the subnets of probes: for tests of devices (RFC 2544), and shared by carriers (RFC 6598). */
const ranges = [
  { stem: '198.19', inUse: /\b198\.1[89]\./ },
  { stem: '100.127', inUse: /\b100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./ },
] as const;

/**
 * Returns a function that returns a new subnet. `texts` are all that is known of the node: undefined if they mention an address of each
 * range, because a subnet of a probe could then take the traffic of pods.
 */
export function subnetsBeside(texts: string): (() => Subnet) | undefined {
  const stem = ranges.find(({ inUse }) => !inUse.test(texts))?.stem;
  if (stem === undefined) return undefined;
  let subnets = 0;
  return () => {
    subnets = (subnets + 1) % 256;
    const start = `${stem}.${subnets}`;
    return {
      prefix: `${start}.0/24`,
      gateway: `${start}.1`,
      address: (n) => `${start}.${n + 1}`,
      vsid: 9000 + subnets,
    };
  };
}

const frontends = 254;
/** Starts at a random number, because HNS may free those of the last probe late. */
let frontend = Math.floor(Math.random() * frontends);

/** An address of a load balancer, which the next 253 do not have: for documentation (RFC 5737), which no network uses. */
export function newProbeFrontend(): string {
  frontend = (frontend + 1) % frontends;
  return `192.0.2.${1 + frontend}`;
}

export function isProbeFrontend(address: string): boolean {
  return address.startsWith('192.0.2.');
}

export function isProbeName(name: string): boolean {
  // The endpoint in the node's namespace has the name of its network with `_ep`.
  return name.toLowerCase().startsWith(namePrefix) && /^\d+(?:_ep)?$/.test(name.slice(namePrefix.length));
}

/** Whether an adapter is the node's own one of a probe's network. */
export function isProbeAlias(alias: string): boolean {
  return isProbeName(switchInAlias(alias) ?? '');
}

export function isProbeId(id: Guid): boolean {
  return id.toLowerCase().startsWith(idPrefix);
}
