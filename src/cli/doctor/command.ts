import type { Command } from 'commander';
import { displayName } from '../conflist/config-file.ts';
import { findPod } from '../inventory/pods.ts';
import { foundIn } from '../inventory/resolve-object.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption, podText } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { widthOf, wrapSentences } from '../terminal/wrap.ts';
import { checks, findAll } from './checks.ts';
import { readServices, serviceNoun } from './cluster-services.ts';
import { type Finding, findingSeen, type Verdict, verdicts } from './finding.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** `doctor`: diagnoses the pod network of this node. */
export function doctorCommand(session: Session): Command {
  return newCommand('doctor', session, {
    summary: 'diagnose this node or a pod, and suggest fixes',
    description:
      'Checks Windows, HNS, containerd, CNI configurations, file permissions, HCN objects and the paths of packets; with a pod, ' +
      'that pod. It changes nothing. PASS names what was compared; UNKNOWN means that win-hcn cannot read the data. fix: is a ' +
      'PowerShell command that fixes a problem, see: one that shows details. Exit codes: 1 if a check fails, 3 if HNS does not ' +
      'respond. Warnings do not change it: pods may still work.',
    examples: [
      'win-hcn doctor',
      'win-hcn doctor shop/web',
      `kubectl get ${serviceNoun} -o json > services.json; win-hcn doctor --services services.json`,
      "win-hcn doctor -o json | ConvertFrom-Json | ForEach-Object findings | Where-Object verdict -eq 'FAIL'",
    ],
  })
    .argument('[pod]', podText)
    .option(
      '--services <file>',
      `services that need a load balancer: kubectl get ${serviceNoun} -o json; - for stdin`,
    )
    .addOption(formatOption())
    .action(async (pod: string | undefined, { output, services: file }: Flags) => {
      const services =
        file === undefined
          ? undefined
          : readServices(session.read(file, maximumFileBytes), displayName(file));
      if (session.terminal.width !== undefined)
        session.printStderr('Checking this node. This takes seconds, or up to a minute if something hangs.');
      const { snapshot, isHnsAvailable } = await takeSnapshot(session);
      const selected = pod === undefined ? undefined : selectPod(pod, snapshot);
      const findings = findAll({ ...snapshot, ...(selected && { selected }), ...(services && { services }) });
      const counts = countVerdicts(findings);
      session.print(
        serialized({ findings, counts }, output) ?? findingsText(findings, sessionFor(session, output)),
      );
      if (!isHnsAvailable) session.setExitCode(exitCode.hnsUnavailable);
      else if (counts.failed > 0) session.setExitCode(exitCode.problemFound);
    });
}

interface Flags extends FormatFlags {
  readonly services?: string;
}

/** The endpoints and namespaces of a pod. Throws CniError if HCN has no such pod. */
function selectPod(key: string, { inventory }: Snapshot): ReadonlySet<string> {
  if ('error' in inventory) return new Set();
  const { endpoints, namespaces } = foundIn(findPod(key, inventory.value));
  return new Set([...endpoints, ...namespaces].flatMap(({ ID }) => ID ?? []));
}

const colors = { PASS: 'green', WARN: 'yellow', FAIL: 'red', UNKNOWN: 'dim' } as const;

/** The text of `doctor`: a count for each verdict, then the findings, the most urgent first, each with its commands. */
export function findingsText(findings: readonly Finding[], session: Session): string {
  const longest = Math.max(...checks.map(({ name }) => name.length));
  const sorted = verdicts.flatMap((verdict) => findings.filter((finding) => finding.verdict === verdict));
  return [
    countsText(findings, session),
    '',
    ...sorted.map((finding) => findingText(finding, longest, session)),
  ].join('\n');
}

/** Wraps what was seen, but never a command, which can then be copied as one line: too long a command begins further left. */
function findingText(finding: Finding, longest: number, { style, width }: Session): string {
  const { verdict, check, fix, see } = finding;
  const isNarrow = width < 80;
  const indent = isNarrow ? verdictWidth + 2 : verdictWidth + longest + 4;
  const margin = `\n${' '.repeat(indent)}`;
  const lines = wrapSentences(findingSeen(finding), width - indent);
  const beside = isNarrow ? `${check}${margin}` : `${check.padEnd(longest)}  `;
  const title = `${style(colors[verdict], verdict.padEnd(verdictWidth))}  ${beside}`;
  const commands = Object.entries({ fix, see }).map(([label, command]) => {
    if (command === undefined) return '';
    const fits = indent + widthOf(`${label}: ${command}`) <= width;
    return `\n${' '.repeat(fits ? indent : verdictWidth + 2)}${label}: ${style('bold', command)}`;
  });
  return `${title}${lines.replaceAll('\n', margin)}${commands.join('')}`;
}

const verdictWidth = Math.max(...verdicts.map((verdict) => verdict.length));

/** The number of findings with each verdict, in the words of the text. */
function countVerdicts(findings: readonly Finding[]) {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  return { failed: count('FAIL'), warnings: count('WARN'), unknown: count('UNKNOWN'), passed: count('PASS') };
}

/** `2 failed, 1 warning, 0 unknown, 12 passed` */
function countsText(findings: readonly Finding[], { style }: Session): string {
  const { failed, warnings, unknown, passed } = countVerdicts(findings);
  return [
    failed === 0 ? '0 failed' : style('red', `${failed} failed`),
    warnings === 0 ? '0 warnings' : style('yellow', countText(warnings, 'warning')),
    `${unknown} unknown`,
    `${passed} passed`,
  ].join(', ');
}
