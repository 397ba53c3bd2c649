import type { Guid } from '../../hcn/guid.ts';
import type { Kind } from '../../hcn/library.ts';

/** Every network of a probe is named so, and every endpoint that has a name. */
const namePrefix = 'win-hcn-probe-';

/** Every ID of a probe starts so: `winhcn`, version 4, `probe`. Namespaces and load balancers have no name. */
const idPrefix = '77696e68-636e-4070-a072-6f6265';

/** A subnet of a probe's network. The prefix is reserved for tests of devices: RFC 2544. */
export interface Subnet {
  readonly prefix: string;
  readonly gateway: string;
  /** The n-th address after the gateway. */
  readonly address: (n: number) => string;
  /** Of an Overlay network. */
  readonly vsid: number;
}

const addressPrefix = '198.19';

/** Numbers the names, ids and subnets of one process. Starts at a random number, because HNS may free IDs late. */
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

export function newProbeSubnet(): Subnet {
  const third = next() % 256;
  const stem = `${addressPrefix}.${third}`;
  return {
    prefix: `${stem}.0/24`,
    gateway: `${stem}.1`,
    address: (n) => `${stem}.${n + 1}`,
    vsid: 10_000 + third,
  };
}

export function isProbeName(name: string): boolean {
  return name.toLowerCase().startsWith(namePrefix);
}

export function isProbeId(id: Guid): boolean {
  return id.toLowerCase().startsWith(idPrefix);
}

export function isProbeAddress(address: string): boolean {
  return address.startsWith(`${addressPrefix}.`);
}
