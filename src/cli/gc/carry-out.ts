import { type ExitCode, exitCode, type Session } from '../session.ts';
import { type Done, doAll, type Task } from './outcome.ts';
import { endText, summary } from './print.ts';

/** What an ADD under way has only just taken, and for how long it may look stale. */
const grace = {
  endpoints: { seconds: 5, why: 'what an ADD has only just made is in no namespace for a moment' },
  /** It waits for the network it creates, and for the node's endpoint on it, before it makes its own. */
  addresses: {
    seconds: 40,
    why: 'an ADD that makes the network has an address for so long, and no endpoint yet',
  },
} as const;

/** Waits until what is of an ADD under way is no longer taken for stale, then does the tasks and tells each with its end. */
export async function carryOut(
  tasks: readonly Task[],
  telling: boolean,
  session: Session,
): Promise<readonly Done[]> {
  const tell = (text: string) => telling && session.print(text);
  if (tasks.length === 0) tell('There is nothing to delete.');
  else
    await wait(tasks.some(({ takes }) => takes === 'address') ? grace.addresses : grace.endpoints, session);
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
  return failed.length === 0 ? exitCode.success : exitCode.problemFound;
}

async function wait(
  { seconds, why }: (typeof grace)[keyof typeof grace],
  { system, printStderr }: Session,
): Promise<void> {
  printStderr(`looking again in ${seconds} s: ${why}`);
  await new Promise<void>((resolve) => system.timer(seconds * 1000, resolve));
}
