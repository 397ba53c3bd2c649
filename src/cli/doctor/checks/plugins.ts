import { pluginName } from '../../../config/open-config.ts';
import { areFoldersKnown } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { inFolder } from '../paths.ts';
import { quoted } from '../quoted.ts';

/** Whether the programs that the configuration names are where the runtime looks for them. */
export const plugins: Check = {
  name: 'plugins',
  judge: ({ configuration: { programs }, containerd, executable }) => {
    const { binDirs } = containerd.folders;
    const where = binDirs.join(', ');
    const found = Object.entries(programs).flatMap(([, path]) => path ?? []);
    const missing = Object.keys(programs).filter((type) => programs[type] === undefined);
    const verdict = areFoldersKnown(containerd) ? 'FAIL' : 'UNKNOWN';
    const pass: readonly Judgement[] =
      found.length === 0 || missing.length > 0 ? [] : [{ verdict: 'PASS', seen: found.join(', ') }];
    return [
      ...pass,
      ...missing.map((type): Judgement => {
        const seen = `no ${type}.exe in ${where}`;
        return pluginName(type) === 'win-hcn'
          ? {
              verdict,
              seen,
              fix: `Copy-Item ${quoted(executable)} ${quoted(inFolder(binDirs[0] ?? '', `${type}.exe`))}`,
            }
          : { verdict, seen, see: `Get-ChildItem ${quoted(binDirs[0] ?? '')}` };
      }),
    ];
  },
};
