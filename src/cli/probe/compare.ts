import { CniError, code } from '../../cni/error.ts';
import { decodeText, parseJsonObject } from '../../cni/text.ts';
import { type JsonFormat, readMembers } from '../../json/members.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import type { Session } from '../terminal/session.ts';
import type { Report } from './report.ts';

/** What is compared of a row: `on` is the type of the network on which it was observed. */
export type Observed = Readonly<Record<'id' | 'observed' | 'on', string | undefined>>;

/** A difference between the reports of two nodes. */
export interface Difference {
  readonly row: string;
  readonly here: string;
  readonly there: string;
}

/** Reads the rows of a report that `probe -o json` printed, in any encoding of PowerShell. Throws CniError for other files. */
export function readObserved(path: string, session: Session): readonly Observed[] {
  const format: JsonFormat = {
    refuse: (member, _, expected) =>
      new CniError(
        code.invalidConfig,
        `${path} is not a report of win-hcn probe -o json: ${member} is not ${expected}`,
      ),
  };
  const report = readMembers(
    parseJsonObject(decodeText(session.read(path, maximumFileBytes)), path),
    '',
    format,
  );
  return report.readList('rows', (row) => ({
    id: row.read('id', 'a string'),
    observed: row.find('observed', 'a string'),
    on: row.find('on', 'a string'),
  }));
}

/** The rows that both nodes tried on a network of the same type and that differ. */
export function compareReports({ rows }: Report, other: readonly Observed[]): readonly Difference[] {
  return rows.flatMap(({ id, observed, on }) => {
    const there = other.find((row) => row.id === id && row.on === on)?.observed;
    const isDifferent = observed !== undefined && there !== undefined && observed !== there;
    return isDifferent ? [{ row: id, here: observed, there }] : [];
  });
}
