import { version } from '../../version.ts';
import type { PackedFile } from './bundle.ts';
import type { Outcome } from './collector.ts';
import { redact, redactedMark, secretNamesText } from './redact.ts';

export interface Bundle {
  readonly computer: string;
  /** When collecting started. */
  readonly time: Date;
  readonly outcomes: readonly Outcome[];
  readonly packed: readonly PackedFile[];
  /** The paths of the files that exceed the size limit. */
  readonly leftOut: readonly string[];
}

/** README.txt: describes the files of a bundle, what was redacted, and what is missing. */
export function readmeText({ computer, time, outcomes, packed, leftOut }: Bundle): string {
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
    `Support bundle of win-hcn ${version}, created by win-hcn collect.`,
    `Computer ${computer}, ${time.toISOString()}.`,
    'Start with doctor.txt and ls.txt, and open graph.html in a browser.',
    '',
    'REDACTED',
    ...paragraph(
      `${redacted === 1 ? '1 secret was' : `${redacted} secrets were`} replaced by ${redactedMark}: ${secretNamesText}; ` +
        'users and passwords in URLs; PEM blocks; bearer, JSON web and k3s tokens. Secrets are recognized by name and format only: review the ' +
        'files before you share them. They contain addresses and the names of containers and of this computer. Environment variables and ' +
        'kubeconfigs are not collected.',
    ),
    ...section('FAILED', failed),
    ...section('NOT FOUND', absent),
    ...section(
      'OVER THE SIZE LIMIT',
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

function fileLine({ path, bytes, redacted, truncatedFrom }: PackedFile): string {
  const notes = [
    `${bytes.length} bytes`,
    ...(truncatedFrom === undefined ? [] : [`truncated from ${truncatedFrom}`]),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
  ];
  return `    ${path} (${notes.join(', ')})`;
}

/** Lines of at most 100 characters, indented. */
function paragraph(text: string): readonly string[] {
  return text.match(/.{1,98}(?= |$)/g)?.map((line) => `  ${line.trim()}`) ?? [];
}
