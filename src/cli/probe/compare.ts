import { CniError, code } from '../../cni/error.ts';
import { decodeText, parseJsonObject } from '../../cni/text.ts';
import { type JsonFormat, readMembers } from '../../json/members.ts';
import { maximumFileBytes } from '../read-file.ts';
import type { Session } from '../session.ts';
import type { Report } from './report.ts';

/** What is compared of a row. */
export interface Observed {
  readonly id: string;
  readonly observed: string | undefined;
}

/** A difference between the reports of two nodes. */
export interface Difference {
  readonly row: string;
  readonly here: string;
  readonly there: string;
}

/** Reads the rows of a report that `probe -o json` printed, in any encoding of PowerShell. Throws CniError for other files. */
export function readObserved(path: string, session: Session): readonly Observed[] {
  const report = readMembers(
    parseJsonObject(decodeText(session.read(path, maximumFileBytes)), path),
    '',
    reportFormat(path),
  );
  return report.readList('rows', (row) => ({
    id: row.read('id', 'a string'),
    observed: row.find('observed', 'a string'),
  }));
}

function reportFormat(path: string): JsonFormat {
  return {
    refuse: (member, _, expected) =>
      new CniError(
        code.invalidConfig,
        `${path} is not a report of win-hcn probe -o json: ${member} is not ${expected}`,
      ),
  };
}

/** The rows that both nodes tried and that differ. */
export function compareReports({ rows }: Report, other: readonly Observed[]): readonly Difference[] {
  return rows.flatMap(({ id, observed }) => {
    const there = other.find((row) => row.id === id)?.observed;
    const isDifferent = observed !== undefined && there !== undefined && observed !== there;
    return isDifferent ? [{ row: id, here: observed, there }] : [];
  });
}
