import type { Inventory } from '../../model/inventory.ts';
import { printable } from '../printable.ts';
import { exitCode, type Session } from '../session.ts';

/** That HCN has not what was asked for, as far as it could be read, and where to look. */
export function notFoundText(problem: string, { unreadable }: Inventory): string {
  const among = unreadable === undefined ? '' : ' among what can be read';
  return `win-hcn: ${printable(problem)}${among}. win-hcn ls -o wide --remote shows what there is.`;
}

/** Ends a command for which HCN has not what was asked for. */
export function notFound(problem: string, inventory: Inventory, session: Session): void {
  session.printStderr(notFoundText(problem, inventory));
  session.setExitCode(exitCode.problemFound);
}
