import type { Terminal } from '../terminal.ts';
import { type Collector, textFile } from './collector.ts';
import { type Section, scripts } from './scripts.ts';

/** What PowerShell prints of the node, a file for each script. */
export function scriptCollectors(terminal: Terminal): readonly Collector[] {
  return scripts.map(({ name, about, seconds, sections }) => ({
    name,
    about,
    // PowerShell is killed before; what it has started may still keep its output open.
    seconds: seconds + 5,
    collect: async () => {
      const end = await terminal.powershell([...sections.map(sectionScript), 'exit 0'].join('\n'), seconds);
      if ('problem' in end) return { files: [], problems: [end.problem] };
      // A title at least.
      if (end.stdout.trim() === '') return { files: [], problems: ['PowerShell printed nothing'] };
      return { files: [textFile(`windows/${name}.txt`, withoutPadding(end.stdout))] };
    },
  }));
}

/**
 * A command that fails says so under its title, and does not keep the next one. No line is broken, not that of the longest command line
 * of a process: a secret would be in two.
 */
function sectionScript({ title, command }: Section): string {
  return `"===== ${title}"
try { & { ${command} } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }`;
}

/** Tables have spaces at the end of their lines. */
function withoutPadding(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
