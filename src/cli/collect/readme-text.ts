import { version } from '../../version.ts';
import type { PackedFile } from './bundle.ts';
import { redact, redactedMark } from './redact.ts';
import type { Outcome } from './run-collectors.ts';
import { secretNamesInWords } from './secret-names.ts';

export interface Bundle {
  readonly computer: string;
  /** When the first collector began. */
  readonly taken: Date;
  readonly outcomes: readonly Outcome[];
  readonly packed: readonly PackedFile[];
  /** The paths of the files there was no room for. */
  readonly leftOut: readonly string[];
}

/** README.txt: what each file of a bundle is, what was redacted, and what is not there. */
export function readmeText({ computer, taken, outcomes, packed, leftOut }: Bundle): string {
  const redacted = packed.reduce((sum, file) => sum + file.redacted, 0);
  const failed = outcomes.flatMap(({ collector, collected }) =>
    (collected.problems ?? []).map((problem) => `  ${collector.name}: ${redact(problem).text}`),
  );
  const absent = outcomes.flatMap(({ collector, collected }) =>
    collected.absent === undefined ? [] : [`  ${collector.name}: ${collected.absent}`],
  );
  const described = outcomes.flatMap(({ collector, collected }) => {
    const own = packed.filter(({ path }) => collected.files.some((file) => file.path === path));
    return own.length === 0 ? [] : [`  ${collector.about}`, ...own.map(fileLine)];
  });
  return [
    `A support bundle of win-hcn ${version}, made by win-hcn collect.`,
    `Computer ${computer}, ${taken.toISOString()}.`,
    'Begin with doctor.txt and ls.txt; graph.html is for a browser.',
    '',
    'REDACTED',
    ...paragraph(
      `${redacted === 1 ? '1 secret was' : `${redacted} secrets were`} replaced by ${redactedMark}: ${secretNamesInWords}; ` +
        'users and passwords in URLs; PEM blocks; bearer, JSON web and k3s tokens. It goes by names and shapes: look through the files before you ' +
        'give them away. They have addresses, names of containers and of this computer in them. Environment variables and kubeconfigs are not ' +
        'collected.',
    ),
    ...section('FAILED', failed),
    ...section('NOT THERE', absent),
    ...section(
      'NO ROOM',
      leftOut.map((path) => `  ${path}`),
    ),
    '',
    'FILES',
    ...described,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function fileLine({ path, bytes, redacted, cutFrom }: PackedFile): string {
  const notes = [
    `${bytes.length} bytes`,
    ...(cutFrom === undefined ? [] : [`cut from ${cutFrom}`]),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
  ];
  return `    ${path} (${notes.join(', ')})`;
}

/** Lines of at most 100 characters, indented. */
function paragraph(text: string): readonly string[] {
  return text.match(/.{1,98}(?= |$)/g)?.map((line) => `  ${line.trim()}`) ?? [];
}
