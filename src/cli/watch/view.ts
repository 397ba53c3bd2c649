import type { System } from '../../system.ts';
import { exitCode, type Session } from '../terminal/session.ts';

/** What a command shows of one moment. */
export interface View {
  /** Returns the text to print; undefined if there is nothing to show, which the warnings explain. */
  readonly text: ((session: Session) => string) | undefined;
  /** Its parts, for the comparison with a later view. */
  readonly entries: readonly Entry[];
  /** Lines for stderr. */
  readonly warnings: readonly string[];
  readonly isProblem: boolean;
  /** Whether there is no text because several objects match. */
  readonly isAmbiguous?: boolean;
}

/** A part of a view that can appear, disappear or change. */
export interface Entry {
  /** Identifies the entry in every view. */
  readonly key: string;
  readonly name: string;
  /** The values that can change, by title. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads HCN and returns a view. Throws what HCN's client throws. */
export type ReadView = (system: System) => Promise<View>;

/** A difference between two views, in one line: `+` for a new entry, `-` for a removed one, `~` for a changed one. */
export type Change = `${'+' | '-' | '~'} ${string}`;

/** Prints a view once. */
export async function printOnce(read: ReadView, session: Session): Promise<void> {
  const { text, warnings, isProblem } = await read(session.system);
  if (text !== undefined) session.print(text(session));
  for (const warning of warnings) session.printStderr(warning);
  if (isProblem) session.setExitCode(exitCode.problemFound);
}

/** Returns the changes between two views: removed, changed and new entries, in this order. */
export function changesBetween(before: readonly Entry[], after: readonly Entry[]): readonly Change[] {
  const earlier = new Map(before.map((entry) => [entry.key, entry]));
  const later = new Set(after.map(({ key }) => key));
  return [
    ...before.filter(({ key }) => !later.has(key)).map((entry): Change => `- ${fullText(entry)}`),
    ...after.flatMap((entry) => {
      const previous = earlier.get(entry.key);
      return previous === undefined ? [] : cellChanges(previous, entry);
    }),
    ...after.filter(({ key }) => !earlier.has(key)).map((entry): Change => `+ ${fullText(entry)}`),
  ];
}

function fullText({ name, cells }: Entry): string {
  return [name, ...Object.values(cells).filter((cell) => cell !== '-')].join(' ');
}

function cellChanges(previous: Entry, current: Entry): readonly Change[] {
  if (Object.keys(previous.cells).join() !== Object.keys(current.cells).join())
    return [`~ ${fullText(current)}`];
  const texts = Object.entries(current.cells).flatMap(([title, cell]) =>
    previous.cells[title] === cell ? [] : [`${title} ${cell} (was ${previous.cells[title]})`],
  );
  return texts.length === 0 ? [] : [`~ ${current.name}: ${texts.join(', ')}`];
}
