import type { Guid, Kind } from '../../hcn/guid.ts';

/** Every network of a probe is named so, and every endpoint that has a name. */
const namePrefix = 'win-hcn-probe-';

/** Every ID of a probe starts so: `winhcn`, version 4, `probe`. Namespaces have no name. */
const idPrefix = '77696e68-636e-4070-a072-6f6265';

/** A subnet of a probe's network: its n-th address is after the gateway, and its VSID is for an Overlay network. */
export type Subnet = ReturnType<ReturnType<typeof newSubnets>>;

/** Numbers the names and ids of one process. Starts at a random number, because HNS may free IDs late. */
let count = Math.floor(Math.random() * 0xff_ffff);

function next(): number {
  count = (count + 1) % 0x100_0000;
  return count;
}

/** Returns the name of a new object. */
export function newProbeName(): string {
  return `${namePrefix}${next()}`;
}

/** Returns the ID of a new object. */
export function newProbeId<K extends Kind>(): Guid<K> {
  return `${idPrefix}${next().toString(16).padStart(6, '0')}`;
}

/** Whether a name is one of `newProbeName`. */
export function isProbeName(name: string): boolean {
  return name.toLowerCase().startsWith(namePrefix) && /^\d+$/.test(name.slice(namePrefix.length));
}

/** Whether an ID is one of `newProbeId`. */
export function isProbeId(id: Guid): boolean {
  return id.toLowerCase().startsWith(idPrefix);
}

/** Whether a text has an address of the range whose second half probes use: for tests of devices (RFC 2544). */
export function hasProbeAddress(text: string): boolean {
  return /\b198\.1[89]\./.test(text);
}

/** Returns a function that returns a new subnet, of which the first 256 differ. */
export function newSubnets() {
  let subnets = 0;
  return () => {
    subnets = (subnets + 1) % 256;
    const start = `198.19.${subnets}`;
    return {
      prefix: `${start}.0/24`,
      gateway: `${start}.1`,
      address: (n: number) => `${start}.${n + 1}`,
      vsid: 9000 + subnets,
    };
  };
}
