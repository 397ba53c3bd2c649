import type { ConfFile } from '../containerd/conf-file.ts';
import { ownerOfConf } from '../containerd/conf-owner.ts';
import { type Facts, firstConf } from '../facts.ts';
import type { Check } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Whether the first file is one that a runtime and win-hcn can read. */
export const validConf: Check = {
  name: 'valid conf',
  judge: (facts) => {
    const first = firstConf(facts.configuration);
    if (first === undefined || isAnothers(first, facts)) return [];
    const { problems } = first.validation;
    const [problem] = problems;
    if (problem === undefined) return [{ verdict: 'PASS', seen: 'no problems' }];
    const more = problems.length === 1 ? '' : `; ${problems.length - 1} more`;
    return [
      {
        verdict: 'FAIL',
        seen: `line ${problem.line}, column ${problem.column}: ${problem.text}${more}`,
        see: `win-hcn validate ${quoted(first.path)}`,
      },
    ];
  },
};

/** A configuration of another plugin is not win-hcn's to judge; a file that is none at all keeps the runtime from its work. */
function isAnothers(file: ConfFile, facts: Facts): boolean {
  return (
    file.plugins.length > 0 &&
    ownerOfConf(file, { ...facts, programs: facts.configuration.programs }) === 'another plugin'
  );
}
