import { type Command, InvalidArgumentError } from 'commander';
import { newCommand } from '../new-command.ts';
import {
  cniPathOption,
  configFileText,
  pluginOption,
  repeatable,
  withCapabilities,
  withContainer,
  yesOption,
} from '../options.ts';
import type { Session } from '../session.ts';
import type { CniCommand, ValidAttachment } from './plugin-input.ts';
import { type Flags, printVersions, runRequest } from './run-request.ts';

const conf = '--conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist';
const pod = '--container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
const prevResult = '--prev-result <file>';

/** `cni`: runs the plugin. */
export function cniCommand(session: Session): Command {
  return newCommand('cni', session, {
    summary: 'run the plugin like a runtime and trace HCN calls',
    description:
      'Runs the plugin with the environment and configuration that libcni would pass. Prints the result or the CNI error ' +
      'to stdout, and the HCN calls with their durations to stderr.',
    examples: [
      `win-hcn cni add ${conf} ${pod} > result.json`,
      `win-hcn cni check ${conf} ${pod} --prev-result result.json`,
      `win-hcn cni del ${conf} --container pod1`,
      `win-hcn cni status ${conf}`,
    ],
    subcommands: [
      withPod(
        request(session, 'ADD', 'attach a container to the network', `${pod} --port 8080:80/tcp`),
      ).option(prevResult, 'result of the previous plugins; - for stdin'),
      withPod(
        request(
          session,
          'CHECK',
          'compare an attachment with its result',
          `${pod} --prev-result result.json`,
        ),
      ).requiredOption(prevResult, 'result of the ADD; - for stdin'),
      withContainer(request(session, 'DEL', 'delete an attachment', '--container pod1')).option(
        '--netns <guid>',
        'HCN namespace of the pod, CNI_NETNS; optional',
      ),
      gcCommand(session),
      request(session, 'STATUS', 'report whether an ADD would succeed', ''),
      newCommand('cni version', session, {
        summary: 'VERSION: print the supported CNI versions',
        examples: ['win-hcn cni version'],
      }).action(() => printVersions(session)),
    ],
  });
}

function gcCommand(session: Session): Command {
  const example = '--keep pod1/eth0 --keep pod2/eth0 --yes';
  return request(session, 'GC', 'delete all but the valid attachments', example)
    .description(
      'GC: deletes every endpoint of win-hcn on the network except those of --keep, even of running pods, and has the IPAM ' +
        'plugin release all other addresses. Dry run without --yes. To delete only leftovers, use win-hcn gc.',
    )
    .option('--keep <container/ifname>', 'valid attachment; repeatable', repeatable(parseAttachment))
    .option('--keep-none', 'no attachment is valid: delete all endpoints of win-hcn on the network')
    .option(...yesOption);
}

/** Adds the options of ADD and CHECK for a pod. */
function withPod(command: Command): Command {
  return withCapabilities(
    withContainer(command).requiredOption('--netns <guid>', 'HCN namespace of the pod, CNI_NETNS'),
  );
}

/** A request with the options that all requests have; `example` is the end of its example. */
function request(session: Session, command: CniCommand, summary: string, example: string): Command {
  const name = command.toLowerCase();
  return newCommand(`cni ${name}`, session, {
    summary: `${command}: ${summary}`,
    examples: [`win-hcn cni ${name} ${conf} ${example}`.trimEnd()],
  })
    .requiredOption('--conf <file>', configFileText)
    .option(...pluginOption)
    .option(...cniPathOption)
    .option('--json', 'print JSON with input, answer and calls')
    .action((flags: Flags) => runRequest(command, flags, session));
}

function parseAttachment(text: string): ValidAttachment {
  const [, containerID, ifname] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (containerID === undefined || ifname === undefined)
    throw new InvalidArgumentError('expected CONTAINER/IFNAME, such as pod1/eth0');
  return { containerID, ifname };
}
