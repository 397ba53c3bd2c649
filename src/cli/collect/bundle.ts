import { zipSync } from 'fflate';
import { codeCache, version } from '../../version.ts';
import { countText } from '../terminal/short-text.ts';
import { omittedMark } from './allow-list.ts';
import type { BundleFile, CollectedPart } from './collector.ts';

/** The files as a zip, with `time` as the time of each. */
export function zip(files: readonly BundleFile[], time: Date): Uint8Array {
  // Times in a zip start in 1980; a node's clock may be before that.
  const mtime = Math.max(time.getTime(), Date.UTC(1980, 0, 2));
  const encoder = new TextEncoder();
  const contents = files.map(({ path, text }) => [
    path,
    encoder.encode(text.endsWith('\n') ? text : `${text}\n`),
  ]);
  return zipSync(Object.fromEntries(contents), { mtime });
}

interface Bundle {
  readonly computer: string;
  /** When collecting started. */
  readonly time: Date;
  readonly parts: readonly CollectedPart[];
  /** How many values were omitted. */
  readonly omitted: number;
}

/** README.txt: describes the files of a bundle, what was omitted, and what is missing. */
export function readmeFile({ computer, time, parts, omitted }: Bundle): BundleFile {
  const failed = parts.flatMap(({ name, problems = [] }) =>
    problems.map((problem) => `  ${name}: ${problem}`),
  );
  const absent = parts.flatMap((part) =>
    part.absent === undefined ? [] : [`  ${part.name}: ${part.absent}`],
  );
  const described = parts.flatMap(({ about, files }) =>
    files.length === 0 ? [] : [`  ${about}`, ...files.map(({ path }) => `    ${path}`)],
  );
  const text = [
    `Support bundle of win-hcn ${version}, created by win-hcn collect. Code cache: ${codeCache}.`,
    `Computer ${computer}, ${time.toISOString()}.`,
    'Start with doctor.txt and ls.txt.',
    '',
    'OMITTED',
    `  ${countText(omitted, 'value')} of configurations, documents and logs: they contain only values whose names win-hcn knows to be`,
    `  harmless, and ${omittedMark} for the others. Of command lines they contain known options, of events no texts.`,
    '  The files contain addresses and the names of networks, pods, containers and this computer.',
    ...section('FAILED', failed),
    ...section('NOT FOUND', absent),
    ...section('FILES', described),
  ];
  return { path: 'README.txt', text: text.join('\n') };
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
