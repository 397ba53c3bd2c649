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

/** `cni`: the plugin by hand. */
export function cniCommand(session: Session): Command {
  const group = newCommand('cni', session, {
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
  });
  const previous = '--prev-result <file>';
  const add = request(session, 'ADD', 'attach a container to the network', `${pod} --port 8080:80/tcp`);
  const check = request(
    session,
    'CHECK',
    'compare an attachment with its result',
    `${pod} --prev-result result.json`,
  );
  const del = request(session, 'DEL', 'delete an attachment', '--container pod1');
  const gc = request(
    session,
    'GC',
    'delete all but the valid attachments',
    '--keep pod1/eth0 --keep pod2/eth0 --yes',
  );
  const status = request(session, 'STATUS', 'report whether an ADD would succeed', '');
  return group
    .helpCommand('help [command]', 'show help for a command')
    .addCommand(withPod(add).option(previous, 'result of the previous plugins; - for stdin'))
    .addCommand(withPod(check).requiredOption(previous, 'result of the ADD; - for stdin'))
    .addCommand(withContainer(del).option('--netns <guid>', 'HCN namespace of the pod, CNI_NETNS; optional'))
    .addCommand(
      gc
        .description(
          'GC: deletes every endpoint of win-hcn on the network except those of --keep, even of running pods, and has the IPAM ' +
            'plugin release all other addresses. Dry run without --yes. To delete only leftovers, use win-hcn gc.',
        )
        .option('--keep <container/ifname>', 'valid attachment; repeatable', repeatable(parseAttached))
        .option('--keep-none', 'no attachment is valid: delete all endpoints of win-hcn on the network')
        .option(...yesOption),
    )
    .addCommand(status)
    .addCommand(versionCommand(session));
}

function versionCommand(session: Session): Command {
  return newCommand('cni version', session, {
    summary: 'VERSION: print the supported CNI versions',
    examples: ['win-hcn cni version'],
  }).action(() => printVersions(session));
}

/** What ADD and CHECK are told of a pod, and what a runtime may ask for it. */
function withPod(command: Command): Command {
  return withCapabilities(
    withContainer(command).requiredOption('--netns <guid>', 'HCN namespace of the pod, CNI_NETNS'),
  );
}

/** One request with the flags that all of them have; `example` are further ones. */
function request(session: Session, command: CniCommand, summary: string, example: string): Command {
  const word = command.toLowerCase();
  return newCommand(`cni ${word}`, session, {
    summary: `${command}: ${summary}`,
    examples: [`win-hcn cni ${word} ${conf} ${example}`.trimEnd()],
  })
    .requiredOption('--conf <file>', configFileText)
    .option(...pluginOption)
    .option(...cniPathOption)
    .option('--json', 'print JSON with input, answer and calls')
    .action((flags: Flags) => runRequest(command, flags, session));
}

function parseAttached(text: string): ValidAttachment {
  const [, containerID, ifname] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (containerID === undefined || ifname === undefined)
    throw new InvalidArgumentError('expected CONTAINER/IFNAME, such as pod1/eth0');
  return { containerID, ifname };
}
