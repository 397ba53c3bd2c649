import type { Command } from 'commander';
import { limitsInTotal } from '../../hcn/deadline.ts';
import type { Inventory } from '../../model/inventory.ts';
import { containersIn } from '../../model/readiness.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { loadBalancerRows } from '../inventory/load-balancer-row.ts';
import { queryInventory } from '../inventory/read-inventory.ts';
import { printable } from '../printable.ts';
import { type ExitCode, exitCode, type Session } from '../session.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';

/** Time limit for HCN in seconds: the user is waiting after pressing Tab. */
const completionSeconds = 1;

/**
 * Prints the candidates for the next word, one per line, each followed by a tab and its description. The first argument is `=` and the
 * typed part of that word; the words before it follow. Candidates that cannot be typed are omitted, and those from HCN if HCN does not
 * return them within the time limit.
 */
export async function complete(
  program: Command,
  [current = '=', ...before]: readonly string[],
  session: Session,
): Promise<ExitCode> {
  const typed = current.slice(1);
  const found = findCandidates(program, before, typed);
  try {
    const candidates = 'objectsFor' in found ? await objectCandidates(found.objectsFor, session) : found;
    const matching = candidates.filter(
      ({ word }) => word === printable(word) && word.toLowerCase().startsWith(typed.toLowerCase()),
    );
    if (matching.length > 0)
      session.print(matching.map(({ word, about }) => `${word}\t${printable(about || word)}`).join('\n'));
    return exitCode.success;
  } catch {
    return exitCode.hnsUnavailable;
  }
}

async function objectCandidates(parameter: string, { system }: Session): Promise<readonly Candidate[]> {
  const list = candidateLists.get(parameter);
  return list === undefined ? [] : list(await queryInventory(system, limitsInTotal(completionSeconds)));
}

type CandidateList = (inventory: Inventory) => readonly Candidate[];

const containers: CandidateList = (inventory) => {
  const ids = [
    ...inventory.namespaces.flatMap(containersIn),
    ...endpointRows(inventory).flatMap(({ container }) => container ?? []),
  ];
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((word) => ({ word, about: 'container' }));
};

const namespaces: CandidateList = (inventory) =>
  inventory.namespaces.flatMap(({ ID, Type }) =>
    ID === undefined ? [] : [{ word: ID, about: `namespace of type ${Type}` }],
  );

/** The HCN objects that an argument or option can name, by the name of that argument or option. */
const candidateLists: ReadonlyMap<string, CandidateList> = new Map(
  Object.entries<CandidateList>({
    pod: containers,
    other: containers,
    container: containers,
    ip: ({ endpoints }) =>
      endpoints.flatMap(({ IpConfigurations = [], Name }) =>
        IpConfigurations.map(({ IpAddress }) => ({ word: IpAddress, about: `address of endpoint ${Name}` })),
      ),
    endpoint: ({ endpoints }) =>
      endpoints.map(({ ID, Name }) => ({ word: ID, about: `endpoint ${Name || ID}` })),
    namespace: namespaces,
    netns: namespaces,
    network: ({ networks }) =>
      networks.map(({ Name, Type }) => ({ word: Name, about: `network of type ${Type}` })),
    loadbalancer: (inventory) =>
      loadBalancerRows(inventory).map(({ id, frontends }) => ({
        word: id,
        about: `load balancer of ${frontends.join(', ') || "the node's addresses"}`,
      })),
  }),
);
