import { type ExitCode, exitCode, type Session } from '../session.ts';
import { type Done, doAll, type Task } from './outcome.ts';
import { endText, summary } from './print.ts';

/** How long an ADD that is under way may have an endpoint in no namespace, or an address and no endpoint yet. */
const secondsUntilSecondLook = 5;

/** Waits until what is of an ADD under way is no longer taken for stale, then does the tasks and tells each with its end. */
export async function carryOut(
  tasks: readonly Task[],
  telling: boolean,
  session: Session,
): Promise<readonly Done[]> {
  const tell = (text: string) => telling && session.print(text);
  if (tasks.length === 0) tell('There is nothing to delete.');
  else await wait(session);
  const ended = await doAll(
    tasks,
    ({ title }, index) => tell(`${index + 1}. ${title}`),
    (done) => tell(`   ${endText(done, session)}`),
  );
  if (tasks.length > 0) tell(`\n${summary(ended)}`);
  return ended;
}

/** What a command ends with after such ends. */
export function endOf(ended: readonly Done[]): ExitCode {
  const failed = ended.filter((done) => done.outcome === 'failed');
  if (failed.some(({ hnsAnswers }) => !hnsAnswers)) return exitCode.hnsUnavailable;
  return failed.length === 0 ? exitCode.fine : exitCode.problemFound;
}

async function wait({ system, remark }: Session): Promise<void> {
  remark(
    `looking again in ${secondsUntilSecondLook} s: what an ADD has only just made is in no namespace for a moment`,
  );
  await new Promise<void>((resolve) => system.timer(secondsUntilSecondLook * 1000, resolve));
}
