import type { Diagnostic } from '../../config-file.ts';
import type { ConfFile } from '../containerd/conf-file.ts';
import { ownerOfConf } from '../containerd/conf-owner.ts';
import { type Facts, firstConf } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Whether the first file is one that a runtime and win-hcn can read. */
export const validConf: Check = {
  name: 'valid conf',
  judge: (facts) => {
    const first = firstConf(facts.configuration);
    if (first === undefined || isAnothers(first, facts)) return [];
    const { problems, warnings } = first.validation;
    if (problems.length > 0) return [judge('FAIL', problems, first.path)];
    if (warnings.length > 0) return [judge('WARN', warnings, first.path)];
    return [{ verdict: 'PASS', seen: 'no problems' }];
  },
};

function judge(verdict: 'FAIL' | 'WARN', remarks: readonly Diagnostic[], path: string): Judgement {
  const [first, ...others] = remarks;
  const more = others.length === 0 ? '' : `; ${others.length} more`;
  return {
    verdict,
    seen: `line ${first?.line}, column ${first?.column}: ${first?.text}${more}`,
    see: `win-hcn validate ${quoted(path)}`,
  };
}

/** A configuration of another plugin is not win-hcn's to judge; a file that is none at all keeps the runtime from its work. */
function isAnothers(file: ConfFile, facts: Facts): boolean {
  return (
    file.plugins.length > 0 &&
    ownerOfConf(file, { ...facts, programs: facts.configuration.programs }) === 'another plugin'
  );
}
