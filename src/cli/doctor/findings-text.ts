import { Help } from 'commander';
import type { Session } from '../session.ts';
import { type Verdict, verdicts } from './check.ts';
import type { Finding } from './checks.ts';

const colors = { PASS: 'green', WARN: 'yellow', FAIL: 'red', UNKNOWN: 'dim' } as const;

/** The text of `doctor`: the findings, each with its commands, and a count for each verdict. */
export function findingsText(findings: readonly Finding[], session: Session): string {
  const longest = Math.max(...findings.map(({ check }) => check.length));
  return [
    ...findings.map((finding) => findingText(finding, longest, session)),
    '',
    countsText(countVerdicts(findings), session),
  ].join('\n');
}

/** Wraps what was seen, but never a command, so that it can be copied. */
function findingText(
  { verdict, check, seen, fix, see }: Finding,
  longest: number,
  { style, width }: Session,
): string {
  const indent = verdictWidth + longest + 4;
  const lines = Number.isFinite(width) ? wrapper.boxWrap(seen, Math.max(width - indent, narrowest)) : seen;
  const margin = `\n${' '.repeat(indent)}`;
  const title = `${style(colors[verdict], verdict.padEnd(verdictWidth))}  ${check.padEnd(longest)}`;
  const commands = [
    ...(fix === undefined ? [] : [`fix: ${style('bold', fix)}`]),
    ...(see === undefined ? [] : [`see: ${style('bold', see)}`]),
  ];
  return [`${title}  ${lines.replaceAll('\n', margin)}`, ...commands].join(margin);
}

/** Columns left for what was seen on a narrow terminal. */
const narrowest = 30;
const wrapper = Object.assign(new Help(), { minWidthToWrap: narrowest });

const verdictWidth = Math.max(...verdicts.map((verdict) => verdict.length));

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(findings: readonly Finding[]): Counts {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  return { PASS: count('PASS'), WARN: count('WARN'), FAIL: count('FAIL'), UNKNOWN: count('UNKNOWN') };
}

/** `12 passed, 1 warning, 2 failed, 0 unknown` */
function countsText({ PASS, WARN, FAIL, UNKNOWN }: Counts, { style }: Session): string {
  return [
    `${PASS} passed`,
    WARN === 0 ? '0 warnings' : style('yellow', WARN === 1 ? '1 warning' : `${WARN} warnings`),
    FAIL === 0 ? '0 failed' : style('red', `${FAIL} failed`),
    `${UNKNOWN} unknown`,
  ].join(', ');
}
