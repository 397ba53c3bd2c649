import type { Owner } from '../../model/ownership.ts';
import { type Format, formatted, serialized } from '../output.ts';
import { printableIn } from '../printable.ts';
import { exitCode, type Session } from '../session.ts';
import { carryOut, endOf } from './carry-out.ts';
import { giveBack } from './give-back.ts';
import { look, type Seen } from './look.ts';
import type { Task } from './outcome.ts';
import { type Place, type PlaceFlags, placeOf } from './place.ts';
import { foreseenText, notices, reservationsText } from './print.ts';
import { foreseen, withEnds } from './report.ts';
import { deletions, releases } from './tasks.ts';

export interface Flags extends PlaceFlags {
  readonly yes?: true;
  readonly otherPlugins?: true;
  readonly cniPath?: string;
  readonly output?: Format;
}

/** Lists what is stale; with --yes, deletes what is stale a moment later too. Throws what HCN's client throws. */
export async function collect(flags: Flags, session: Session): Promise<void> {
  const place = placeOf(flags, session);
  if (place === undefined) return;
  const { yes = false, ipam = false, output } = flags;
  const owners: readonly Owner[] = flags.otherPlugins ? ['win-hcn', 'another plugin'] : ['win-hcn'];
  const seen = await look(place, owners, session);
  const troubles = [...unknownNetwork(flags, seen), ...seen.problems];
  for (const trouble of troubles) session.printStderr(`win-hcn: ${trouble}`);
  const report = foreseen(seen, ipam);
  const wide = output === 'wide';
  const tellRest = () => notices(seen).forEach(session.printStderr);
  if (!yes) {
    session.print(formatted(report, output, (shown) => foreseenText(shown, wide, session)));
    tellRest();
    const count = report.endpoints.length + report.reservations.length + troubles.length;
    return session.setExitCode(count === 0 ? exitCode.success : exitCode.problemFound);
  }
  const tasks = tasksFor(seen, place, flags, session);
  const ended = await carryOut(tasks, serialized(report, output) === undefined, session);
  const left = report.reservations.filter(({ outcome }) => outcome === 'left');
  const told = serialized(withEnds(report, ended), output);
  if (told !== undefined) session.print(told);
  else if (left.length > 0) session.print(`\n${reservationsText(printableIn(left), wide, session)}`);
  tellRest();
  session.setExitCode(
    troubles.length > 0 && endOf(ended) === exitCode.success ? exitCode.problemFound : endOf(ended),
  );
}

function tasksFor(seen: Seen, place: Place, flags: Flags, session: Session): readonly Task[] {
  const { config, store } = place;
  const endpoints = deletions(seen, session.system);
  if (!flags.ipam || config === undefined || store === undefined) return endpoints;
  const lookAgain = () => look(place, [], session);
  return [
    ...endpoints,
    ...releases(seen, lookAgain, (one) => giveBack(one, { config, store }, flags, session)),
  ];
}

/** A name that was given by hand may be misspelt. */
function unknownNetwork({ network }: Flags, { inventory }: Seen): readonly string[] {
  if (network === undefined || inventory.networks.some(({ Name }) => Name === network)) return [];
  return [`HCN has no network "${network}": win-hcn ls networks shows those there are`];
}
