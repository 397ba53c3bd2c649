import { printable } from '../printable.ts';
import { exitCode, type Session } from '../session.ts';

/** That HCN has not what was asked for, and where to look. */
export function notFoundText(problem: string): string {
  return `win-hcn: ${printable(problem)}. win-hcn ls -o wide --remote shows what there is.`;
}

/** Ends a command for which HCN has not what was asked for. */
export function notFound(problem: string, session: Session): void {
  session.remark(notFoundText(problem));
  session.end(exitCode.problemFound);
}
