import { protocolNumbers } from '../net/protocols.ts';
import type { Port } from './generated/load-balancer.ts';
import type { Problems } from './problems.ts';

/** One port the load balancer listens on, and the backends' port behind it. */
export interface LoadBalancerPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  readonly targetPort: number;
}

const maximumPorts = 1000;

/** The ports of every entry, ranges counted out, in the order of the configuration. */
export function readLoadBalancerPorts(
  entries: readonly Port[],
  problems: Problems,
): readonly LoadBalancerPort[] {
  const read = entries.map((entry, index) => readEntry(entry, `/ports/${index}`, problems));
  read.forEach((entry, index) => {
    const other = read.slice(0, index).findIndex((candidate) => overlap(entry, candidate));
    if (other < 0) return;
    const expected = `${entry.protocol} ports that /ports/${other} does not have`;
    problems.value(`/ports/${index}/port`, entries[index]?.port, expected);
  });
  const total = read.reduce((sum, { ports }) => sum + widthOf(ports), 0);
  if (total > maximumPorts) {
    problems.value('/ports', `${total} ports`, `${maximumPorts} at most once ranges are counted out`);
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

interface Range {
  readonly first: number;
  readonly last: number;
}

const unreadable: Range = { first: 0, last: 0 };

interface Entry {
  readonly protocol: 'tcp' | 'udp';
  readonly ports: Range;
  readonly targets: Range;
}

function readEntry({ protocol, port, targetPort }: Port, path: string, problems: Problems): Entry {
  const ports = readRange(port, `${path}/port`, problems);
  const targets = targetPort === undefined ? ports : readRange(targetPort, `${path}/targetPort`, problems);
  if (ports !== unreadable && targets !== unreadable && widthOf(targets) !== widthOf(ports)) {
    const expected = `as many ports as in port, which is ${widthOf(ports)}`;
    problems.value(`${path}/targetPort`, targetPort, expected);
  }
  return { protocol: protocol === 'tcp' || protocol === protocolNumbers.tcp ? 'tcp' : 'udp', ports, targets };
}

function readRange(given: number | string, path: string, problems: Problems): Range {
  const [first = 0, last = first] = String(given).split('-').map(Number);
  if (first <= last && last <= 65535) return { first, last };
  problems.value(path, given, 'ports from 1 to 65535, the lower one first');
  return unreadable;
}

function widthOf({ first, last }: Range): number {
  return last - first + 1;
}

function overlap(one: Entry, other: Entry): boolean {
  const [a, b] = [one.ports, other.ports];
  if (one.protocol !== other.protocol || a === unreadable || b === unreadable) return false;
  return a.first <= b.last && b.first <= a.last;
}
