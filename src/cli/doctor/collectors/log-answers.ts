import { isObject } from '../../../json/members.ts';
import type { Session } from '../../session.ts';
import { type Fact, factOf } from '../fact.ts';

/** What a request of the last day was answered, as the log has it. */
export interface LoggedAnswer {
  /** ISO 8601. */
  readonly time: string;
  /** `ADD` and the like; empty where the log begins with the answer. */
  readonly command: string;
  /** 0 is success. */
  readonly code: number;
  readonly message: string;
}

const day = 86_400_000;

/** Reads the log for the answers of the last day, in their order. */
export function readLogAnswers(
  path: string,
  { system, terminal }: Session,
): Promise<Fact<readonly LoggedAnswer[]>> {
  const since = new Date(system.clock().getTime() - day).toISOString();
  const read = async () =>
    answersIn(new TextDecoder().decode(terminal.readFile(path))).filter(({ time }) => time >= since);
  return factOf(read());
}

/** The answers among the lines of a log; what is no line of one is passed over. */
export function answersIn(log: string): readonly LoggedAnswer[] {
  const commands = new Map<unknown, string>();
  return log.split('\n').flatMap((line) => {
    const { event, request, time, command, code, msg } = entryOf(line);
    if (event === 'request' && typeof command === 'string') commands.set(request, command);
    if (event !== 'answer' || typeof time !== 'string' || typeof code !== 'number') return [];
    const message = typeof msg === 'string' ? msg : '';
    return [{ time, command: commands.get(request) ?? '', code, message }];
  });
}

function entryOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) ? entry : {};
  } catch {
    return {};
  }
}
