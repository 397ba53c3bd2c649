import type { System } from '../../system.ts';
import { exitCode, type Session } from '../session.ts';

/** What a command has to show of one moment. */
export interface View {
  /** What is printed; undefined where nothing is there to show, which the remarks say. */
  readonly text: ((session: Session) => string) | undefined;
  /** What it consists of, to be compared with a later moment. */
  readonly entries: readonly Entry[];
  /** What is not the answer itself. */
  readonly remarks: readonly string[];
  readonly isProblem: boolean;
}

/** A part of a view that can come, go, or change. */
export interface Entry {
  /** The same in every view that has it, and no other's. */
  readonly key: string;
  readonly name: string;
  /** What can change, by its title. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Takes a view. Throws what HCN's client throws. */
export type TakeView = (system: System) => Promise<View>;

/** Takes a view and prints it. */
export async function printOnce(take: TakeView, session: Session): Promise<void> {
  const { text, remarks, isProblem } = await take(session.system);
  if (text !== undefined) session.print(text(session));
  for (const remark of remarks) session.printStderr(remark);
  if (isProblem) session.setExitCode(exitCode.problemFound);
}
