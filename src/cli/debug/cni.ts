import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../cni/request.ts';
import { findHresult } from '../../hcn/hresults.ts';
import { readJsonFile } from '../conflist/config-file.ts';
import { selectPlugin } from '../conflist/plugin-list.ts';
import {
  defaultCniPath,
  type LoggedCall,
  messageOf,
  type PluginRun,
  runPlugin,
} from '../plugin/run-plugin.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  argsOption,
  cniPathOption,
  configFileText,
  type FormatFlags,
  formatOption,
  repeatable,
  withContainer,
  yesOption,
} from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, onStderr, type Session, type Style, sessionFor } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { cellsTable } from '../terminal/table.ts';
import { previewGc, type ValidAttachment } from './preview-gc.ts';

type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

const conf = '--conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist';
const pod = '--container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
const prevResult = '--prev-result <file>';

/** `cni`: runs the plugin. */
export function cniCommand(session: Session): Command {
  return newCommand('debug cni', session, {
    summary: 'run the plugin as runtimes do, and trace HCN calls',
    description:
      'Runs the plugin as libcni would. Prints the result or the CNI error to stdout, and the HCN calls with their durations to ' +
      'stderr. runtimeConfig in the file has the values of capabilities.',
    examples: [
      `win-hcn debug cni add ${conf} ${pod} > result.json`,
      `win-hcn debug cni check ${conf} ${pod} --prev-result result.json`,
      `win-hcn debug cni del ${conf} --container pod1`,
      `win-hcn debug cni status ${conf}`,
    ],
    subcommands: [
      withPod(request(session, 'ADD', 'attach a container to the network', pod)).option(
        prevResult,
        'file with the result of the previous plugin (prevResult), or - for stdin',
      ),
      withPod(
        request(
          session,
          'CHECK',
          'compare an attachment with the result of its ADD',
          `${pod} --prev-result result.json`,
        ),
      ).requiredOption(prevResult, 'file with the result of the ADD (prevResult), or - for stdin'),
      withContainer(request(session, 'DEL', 'delete an attachment', '--container pod1')).option(
        '--netns <guid>',
        'HCN namespace of the pod (CNI_NETNS); optional',
      ),
      gcCommand(session),
      request(session, 'STATUS', 'check HNS, the network and the IPAM plugin', ''),
      newCommand('debug cni version', session, {
        summary: 'VERSION: print the supported CNI versions',
        examples: ['win-hcn debug cni version'],
      }).action(() => printVersions(session)),
    ],
  });
}

function gcCommand(session: Session): Command {
  const example = '--keep pod1/eth0 --keep pod2/eth0 --yes';
  return request(session, 'GC', 'delete all attachments except those that you specify', example)
    .description(
      'GC: deletes all endpoints that win-hcn created on the network, including those of running pods, except the attachments of ' +
        '--keep; the IPAM plugin releases their addresses. To delete only leftovers, use win-hcn gc.',
    )
    .option('--keep <container/ifname>', 'attachment to keep; can be repeated', repeatable(parseAttachment))
    .option('--keep-none', 'keep no attachments: delete all endpoints that win-hcn created on the network')
    .option(...yesOption);
}

/** Adds the options of ADD and CHECK for a pod. A runtime's capabilities are `runtimeConfig` in the file. */
function withPod(command: Command): Command {
  return withContainer(command)
    .requiredOption('--netns <guid>', 'HCN namespace of the pod (CNI_NETNS)')
    .option(...argsOption);
}

/** A request with the options that all requests have; `example` is the end of its example. */
function request(session: Session, command: CniCommand, summary: string, example: string): Command {
  const name = command.toLowerCase();
  return newCommand(`debug cni ${name}`, session, {
    summary: `${command}: ${summary}`,
    examples: [`win-hcn debug cni ${name} ${conf} ${example}`.trimEnd()],
  })
    .requiredOption('--conf <file>', configFileText)
    .option(...cniPathOption)
    .addOption(formatOption())
    .action((flags: Flags) => runRequest(command, flags, session));
}

function parseAttachment(text: string): ValidAttachment {
  const [, containerID, ifname] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (containerID === undefined || ifname === undefined)
    throw new InvalidArgumentError('expected CONTAINER/IFNAME, such as pod1/eth0');
  return { containerID, ifname };
}

/** The options of a request; those that a command does not have are absent. */
interface Flags extends FormatFlags {
  readonly conf: string;
  readonly container?: string;
  readonly netns?: string;
  readonly ifname?: string;
  readonly cniPath?: string;
  readonly args?: string;
  readonly prevResult?: string;
  /** Of GC: the valid attachments. */
  readonly keep?: readonly ValidAttachment[];
  readonly keepNone?: true;
  /** Of GC, which is a dry run without it. */
  readonly yes?: true;
}

/** Runs one request; prints its result on stdout and its calls on stderr. */
async function runRequest(command: CniCommand, flags: Flags, session: Session): Promise<void> {
  const file = readJsonFile(flags.conf, session, 'all');
  if (file === undefined) return;
  const plugin = selectPlugin(file, flags.conf, session.system.executable);
  const valid = flags.keepNone ? [] : flags.keep;
  if (command === 'GC' && valid !== undefined && !flags.yes) return previewGc(plugin.config, valid, session);
  const prevResult =
    flags.prevResult === undefined ? undefined : readJsonFile(flags.prevResult, session, 'unreadable');
  if (flags.prevResult !== undefined && prevResult === undefined) return;
  const environment = environmentOf(command, flags, session);
  const stdin = {
    ...plugin.config,
    ...(prevResult !== undefined && { prevResult }),
    ...(valid !== undefined && { 'cni.dev/valid-attachments': valid }),
  };
  const print = (run: PluginRun): void => {
    const { answer, ...rest } = run;
    const json = answer === undefined ? undefined : JSON.stringify(answer, undefined, 2);
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const outcome = { [rest.exitCode === exitCode.success ? 'result' : 'error']: answer };
    const text =
      serialized({ environment: variables, document: stdin, ...rest, ...outcome }, flags.output) ?? json;
    if (text !== undefined) session.print(text);
  };
  // A result that cannot be printed fails the ADD, as for a runtime.
  let told: 'printed' | 'failed' | undefined;
  const ran = await runPlugin(environment, stdin, session.system, (run) => {
    told = 'failed';
    print(run);
    told = 'printed';
  });
  session.setExitCode(ran.exitCode);
  if (told === 'failed') session.printStderr(`win-hcn: ${messageOf(ran.answer)}`);
  else if (told === undefined) print(ran);
  if (flags.output === 'json') return;
  const { style } = session;
  const succeeded = ran.exitCode === exitCode.success;
  const outcome = succeeded ? style('green', 'succeeded') : style('red', 'failed');
  const deleted = succeeded && command === 'GC' ? deletedText(ran.calls) : '';
  session.printStderr(
    `${command} ${outcome}${deleted}: ${countText(ran.calls.length, 'call')} in ${ran.milliseconds} ms`,
  );
  if (ran.calls.length > 0)
    session.printStderr(callsTable(ran.calls, sessionFor(onStderr(session), flags.output)));
}

function deletedText(calls: readonly LoggedCall[]): string {
  const isDeletion = (call: LoggedCall) =>
    call.event === 'call' && call.call === 'HcnDeleteEndpoint' && Number(call.hresult) === 0;
  const deleted = calls.filter(isDeletion).length;
  return deleted === 0 ? ', no endpoints deleted' : `, ${countText(deleted, 'endpoint')} deleted`;
}

/** The variables that libcni would set. */
function environmentOf(command: CniCommand, flags: Flags, { system }: Session): Environment {
  const variables = {
    CNI_COMMAND: command,
    CNI_PATH: flags.cniPath ?? defaultCniPath(system),
    CNI_CONTAINERID: flags.container,
    CNI_NETNS: flags.netns,
    CNI_IFNAME: flags.ifname,
    CNI_ARGS: flags.args,
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}

/** VERSION, which takes no configuration. */
async function printVersions(session: Session): Promise<void> {
  const { answer } = await runPlugin({ CNI_COMMAND: 'VERSION' }, {}, session.system);
  session.print(JSON.stringify(answer, undefined, 2));
}

/** The plugin's calls in order. Calls with the same object and outcome are one row with their number and total duration. */
function callsTable(calls: readonly LoggedCall[], session: Session): string {
  const groups = [...Map.groupBy(calls, (call) => JSON.stringify({ ...call, milliseconds: 0 })).values()];
  const outcomes = groups.map(([call]) => (call === undefined ? { text: '' } : outcomeOf(call)));
  const rows = groups.map((group, index) => {
    const [call] = group;
    const name = call?.event === 'run' ? `${call.plugin} ${call.command}` : (call?.call ?? '');
    const milliseconds = group.reduce((sum, one) => sum + one.milliseconds, 0);
    return [
      milliseconds.toFixed(1).padStart(8),
      outcomes[index]?.text ?? '',
      group.length === 1 ? name : `${name} ×${group.length}`,
      (call?.event === 'call' ? call.id : undefined) ?? '',
    ];
  });
  return cellsTable(['      ms', 'result', 'call', 'object'], rows, session, {
    styleOf: (title, row) => (title === 'result' ? outcomes[row]?.style : undefined),
  });
}

function outcomeOf(call: LoggedCall): { readonly text: string; readonly style?: Style } {
  if (call.error !== undefined) return { text: 'no response', style: 'red' };
  if (call.event === 'run')
    return call.exitCode === 0 ? { text: 'ok' } : { text: `exit ${call.exitCode ?? 'killed'}`, style: 'red' };
  const hresult = Number(call.hresult ?? 0);
  return hresult === 0
    ? { text: 'ok' }
    : { text: findHresult(hresult)?.symbol ?? call.hresult ?? '', style: 'yellow' };
}
