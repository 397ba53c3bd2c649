import type { PortRange, ProtocolPorts } from '../collectors/ports.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';

/** HNS takes ports for outbound NAT and load balancers in blocks of this many. */
const block = 64;
/** What Microsoft's own check of a node takes for too few. */
const few = 10;

const see = 'netsh interface ipv4 show excludedportrange protocol=';

/** Whether HNS still gets ports: without them DNS and outbound traffic of pods stop. */
export const ports: Check = {
  name: 'ports',
  judge: (facts) => whenKnown(facts.ports, (known) => known.map(judge), `${see}tcp`),
};

function judge({ protocol, dynamic, excluded }: ProtocolPorts): Judgement {
  const free = freeBlocks(dynamic, excluded);
  const range = `${protocol.toUpperCase()} ports ${dynamic.first} to ${dynamic.last}`;
  const seen = `${free} of ${freeBlocks(dynamic, [])} blocks of ${block} are free in ${range}`;
  if (free > few) return { verdict: 'PASS', seen };
  return {
    verdict: free === 0 ? 'FAIL' : 'WARN',
    seen: `${seen}; HNS takes a block for outbound NAT and load balancers`,
    see: `${see}${protocol}`,
  };
}

/** How many blocks fit into what is not excluded of a range. */
export function freeBlocks({ first, last }: PortRange, excluded: readonly PortRange[]): number {
  let next = first;
  let free = 0;
  for (const taken of excluded.toSorted((a, b) => a.first - b.first)) {
    free += blocksIn(next, Math.min(taken.first - 1, last));
    next = Math.max(next, taken.last + 1);
  }
  return free + blocksIn(next, last);
}

function blocksIn(first: number, last: number): number {
  return Math.max(0, Math.floor((last - first + 1) / block));
}
