import { findById, type Inventory } from '../../model/inventory.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { formatDestination } from '../traffic/destination.ts';
import type { Trace, TracedPath } from './trace.ts';

/** The commands that show more about the place where a path ends; `key` is the sender on the command line, undefined if it is no pod. */
export function furtherCommands(
  key: string | undefined,
  trace: Trace,
  inventory: Inventory,
): readonly string[] {
  const { destination, outcome, paths } = trace;
  const to = formatDestination(destination);
  const [worst] = paths;
  if (worst === undefined) return [];
  return [
    ...endCommand(key, trace, worst, inventory),
    ...(key === undefined ? [] : [`win-hcn explain-nat ${key} ${to}`]),
    ...(key === undefined || outcome === 'arrives' ? [] : [`win-hcn capture ${key} ${to}`]),
  ];
}

/** The command about the port at which a path ends. */
function endCommand(
  key: string | undefined,
  { endpoint, destination }: Trace,
  { hops }: TracedPath,
  inventory: Inventory,
): readonly string[] {
  const last = hops.at(-1);
  if (last?.place !== 'port') return [];
  if (last.rule === undefined) return [`win-hcn show endpoint ${last.id}`];
  if (last.id === endpoint)
    return key === undefined ? [] : [`win-hcn explain-acl ${key} out ${formatDestination(destination)}`];
  const receiver = findById(inventory.endpoints, last.id);
  const { pod, container } = receiver === undefined ? {} : endpointRow(receiver, inventory);
  const name = pod ?? container;
  const { source, destinationPort: port, protocol } = last.packet;
  const remote = {
    address: source,
    ...(port !== undefined && { port }),
    ...(protocol !== undefined && { protocol }),
  };
  return name === undefined ? [] : [`win-hcn explain-acl ${name} in ${formatDestination(remote)}`];
}
