import { exitCode, type Session } from '../session.ts';

/** Ends a command for which HCN has not what was asked for. */
export function notFound(problem: string, session: Session): void {
  session.remark(`win-hcn: ${problem}. win-hcn ls -o wide --remote shows what there is.`);
  session.end(exitCode.problemFound);
}
