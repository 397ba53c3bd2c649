import { parseObject } from '../../../json/members.ts';
import { quote } from '../../terminal/powershell.ts';
import { type Check, type Diagnosis, fail, known, pass, warn } from '../finding.ts';

const day = 86_400_000;

/** Checks that no request failed in the last 24 hours, if there was any. */
export const log: Check = {
  name: 'log',
  diagnose: ({ time, log: { path, content }, configuration: { files, used } }) => {
    const isUnused = 'value' in files && used === undefined;
    if (path === '' || (isUnused && 'error' in content)) return [];
    const since = new Date(time.getTime() - day).toISOString();
    const requests = readLoggedRequests(known(content)).filter((request) => request.time >= since);
    return requests.length === 0 ? [] : [diagnoseRequests(requests, path)];
  },
};

/** Runtimes retry a failed ADD, each time after a DEL, which succeeds: so many in a row are not one pod's bad luck. */
const inRow = 3;

function diagnoseRequests(requests: readonly LoggedRequest[], path: string): Diagnosis {
  const failed = requests.filter(({ code }) => code !== 0);
  const last = failed.at(-1);
  if (last === undefined)
    return pass(`0 of ${requests.length} requests failed in the last 24 hours (${path})`);
  const adds = requests.filter(({ command }) => command === 'ADD');
  const failures = adds.length - 1 - adds.findLastIndex(({ code }) => code === 0);
  const see = `Get-Content ${quote(path)} -Tail 40`;
  const latest = `the latest at ${last.time}: ${last.command} ${last.message}`;
  const counted = `${failed.length} of ${requests.length} requests failed in the last 24 hours`;
  if (failures < inRow) return warn(`${counted}, ${latest}`, { see });
  return fail(`the last ${failures} ADDs failed, and no pod can start; ${counted}, ${latest}`, { see });
}

/** A completed request in the log; `command` is empty if the log begins after it. Code 0 is success. */
export type LoggedRequest = Readonly<Record<'time' | 'command' | 'message', string>> & {
  readonly code: number;
};

/** Reads the completed requests in a log; skips lines that are not log entries. */
export function readLoggedRequests(text: string): readonly LoggedRequest[] {
  const commands = new Map<unknown, string>();
  return text.split('\n').flatMap((line) => {
    const { event, request, time, command, code, msg } = parseObject(line);
    if (event === 'request' && typeof command === 'string') commands.set(request, command);
    if (event !== 'answer' || typeof time !== 'string' || typeof code !== 'number') return [];
    const message = typeof msg === 'string' ? msg : '';
    return [{ time, command: commands.get(request) ?? '', code, message }];
  });
}
