import type { LoggedAnswer } from '../collectors/log-answers.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';
import { folderOf } from '../paths.ts';
import { quoted } from '../quoted.ts';

/** Whether requests of the last day failed. */
export const log: Check = {
  name: 'log',
  judge: ({ log: { path, answers } }) =>
    path === ''
      ? []
      : whenKnown(answers, (known) => [judge(known, path)], `Get-ChildItem ${quoted(folderOf(path))}`),
};

function judge(answers: readonly LoggedAnswer[], path: string): Judgement {
  const failed = answers.filter(({ code }) => code !== 0);
  const last = failed.at(-1);
  if (last === undefined)
    return { verdict: 'PASS', seen: `no request failed in the last day, of ${answers.length} in ${path}` };
  const { command, time, message } = last;
  return {
    verdict: 'WARN',
    seen: `${failed.length} of ${answers.length} requests of the last day failed, the last at ${time}: ${command} ${message}`,
    see: `Get-Content ${quoted(path)} -Tail 40`,
  };
}
