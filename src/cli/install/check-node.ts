import { isObject } from '../../json/members.ts';
import { planCommand } from '../config/plan.ts';
import { checkFile } from '../conflist/check-file.ts';
import { readPluginFolders } from '../conflist/checks/runtime.ts';
import { runChecks } from '../doctor/checks.ts';
import { countsText, countVerdicts } from '../doctor/command.ts';
import { failureMessage, plain, type Session } from '../terminal/session.ts';
import { joinPath } from '../terminal/windows-path.ts';
import type { InstallFolders } from './folders.ts';
import { executableName } from './layout.ts';
import type { OwnConfiguration } from './plan-configuration.ts';

/** The results of validate, plan and doctor after an installation, in one line each, with further lines for what failed. */
export interface NodeChecks {
  readonly validate?: string;
  readonly plan?: string;
  readonly doctor: string;
  readonly failures: readonly string[];
}

/** Runs validate, plan and doctor for what is installed. Changes nothing; never rejects. */
export async function checkNode(
  { bin, conf }: InstallFolders,
  configuration: OwnConfiguration | undefined,
  session: Session,
): Promise<NodeChecks> {
  const system = { ...session.system, executable: joinPath(bin, executableName) };
  const installed: Session = { ...plain(session), system };
  const { findings } = await runChecks(installed, undefined);
  const doctor = countsText(countVerdicts(findings), installed);
  const failures = findings
    .filter(({ verdict }) => verdict === 'FAIL')
    .map(({ check, seen, fix, see }) => {
      const command = fix ?? see;
      return `${check}: ${seen.split('\n')[0]}${command === undefined ? '' : `\n    ${fix === undefined ? 'see' : 'fix'}: ${command}`}`;
    });
  if (configuration === undefined) return { doctor, failures };
  const path = joinPath(conf, configuration.name);
  return {
    validate: validation(path, configuration.bytes, installed),
    plan: await previewAdd(path, configuration.bytes, installed),
    doctor,
    failures,
  };
}

function validation(path: string, bytes: Uint8Array, session: Session): string {
  const found = checkFile(bytes, path, session.system.executable, readPluginFolders(session));
  const [first] = [...found.problems, ...found.warnings];
  const count = `${found.problems.length} problems, ${found.warnings.length} warnings`;
  return first === undefined ? 'no problems' : `${count}: line ${first.line}: ${first.text}`;
}

/** The steps of an ADD in words, or why it would fail. */
async function previewAdd(path: string, bytes: Uint8Array, session: Session): Promise<string> {
  let printed = '';
  let reported = '';
  const quiet: Session = {
    ...session,
    read: () => bytes,
    print: (text) => {
      printed += text;
    },
    printStderr: (text) => {
      reported ||= text;
    },
    setExitCode: () => undefined,
  };
  try {
    await planCommand(quiet).parseAsync([path, '-o', 'json'], { from: 'user' });
    return planText(JSON.parse(printed));
  } catch (error) {
    return `an ADD would fail: ${reported || failureMessage(error, false)}`;
  }
}

function planText(printed: unknown): string {
  const plan = isObject(printed) && isObject(printed['plan']) ? printed['plan'] : {};
  const listOf = (key: string): readonly unknown[] => {
    const list = plan[key];
    return Array.isArray(list) ? list : [];
  };
  const [problem] = listOf('problems');
  if (problem !== undefined) return `an ADD would fail: ${problem}`;
  const names = listOf('steps').map((step) => (isObject(step) ? String(step['do']) : ''));
  return `an ADD would ${names.join(', ')}`;
}
