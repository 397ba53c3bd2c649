import { type Command, InvalidArgumentError } from 'commander';
import { newCommand } from '../new-command.ts';
import { repeatable, withCapabilities, withContainer, withPlugin, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import type { CniCommand, ValidAttachment } from './plugin-input.ts';
import { type Flags, printVersions, runRequest } from './run-request.ts';

const conf = '--conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist';
const pod = '--container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';

/** `cni`: the plugin by hand. */
export function cniCommand(session: Session): Command {
  const group = newCommand('cni', session, {
    summary: 'run the plugin as a container runtime does, with what it calls',
    description:
      'Runs the plugin as a container runtime does: with the environment and the configuration that libcni would pass. The result ' +
      'or the error object is printed on stdout, the calls to HCN with their durations on stderr.',
    examples: [
      `win-hcn cni add ${conf} ${pod} > result.json`,
      `win-hcn cni check ${conf} ${pod} --prev-result result.json`,
      `win-hcn cni del ${conf} --container pod1`,
      `win-hcn cni status ${conf}`,
    ],
  });
  const previous = '--prev-result <file>';
  const add = request(session, 'ADD', 'make an interface in a namespace', `${pod} --port 8080:80/tcp`);
  const check = request(
    session,
    'CHECK',
    'compare an interface with its result',
    `${pod} --prev-result result.json`,
  );
  const del = request(session, 'DEL', 'remove an interface', '--container pod1');
  const gc = request(
    session,
    'GC',
    'delete what is of no valid attachment',
    '--keep pod1/eth0 --keep pod2/eth0 --yes',
  );
  const status = request(session, 'STATUS', 'whether an ADD would succeed', '');
  return group
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(withPod(add).option(previous, 'the result of the plugins before this one; - is stdin'))
    .addCommand(withPod(check).requiredOption(previous, 'the result of the ADD; - is stdin'))
    .addCommand(withContainer(del).option('--netns <guid>', 'the namespace, which DEL does not need'))
    .addCommand(
      gc
        .description(
          'GC: delete every endpoint that win-hcn made on the network and no --keep names, those of running pods too, and have the ' +
            'IPAM plugin do the same with addresses. Without --yes it shows which. win-hcn gc deletes what pods left behind and ' +
            'nothing else.',
        )
        .option('--keep <container/ifname>', 'a valid attachment; more than once', repeatable(parseAttached))
        .option('--keep-none', 'there is no valid attachment: delete all that win-hcn made on the network')
        .option(...yesOption),
    )
    .addCommand(status)
    .addCommand(versionCommand(session));
}

function versionCommand(session: Session): Command {
  return newCommand('cni version', session, {
    summary: 'VERSION: the versions of the protocol',
    examples: ['win-hcn cni version'],
  }).action(() => printVersions(session));
}

/** What ADD and CHECK are told of a pod, and what a runtime may ask for it. */
function withPod(command: Command): Command {
  return withCapabilities(
    withContainer(command).requiredOption('--netns <guid>', 'the HCN namespace of the pod'),
  );
}

/** One request with the flags that all of them have; `example` are further ones. */
function request(session: Session, command: CniCommand, summary: string, example: string): Command {
  const word = command.toLowerCase();
  const made = newCommand(`cni ${word}`, session, {
    summary: `${command}: ${summary}`,
    examples: [`win-hcn cni ${word} ${conf} ${example}`.trimEnd()],
  }).requiredOption('--conf <file>', 'a conflist or the configuration of one plugin; - is stdin');
  return withPlugin(made)
    .option('--cni-path <folders>', 'where IPAM plugins are, CNI_PATH (default: the folder of win-hcn.exe)')
    .option('--json', 'print one JSON document: input, answer, calls')
    .action((flags: Flags) => runRequest(command, flags, session));
}

function parseAttached(text: string): ValidAttachment {
  const [, containerID, ifname] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (containerID === undefined || ifname === undefined)
    throw new InvalidArgumentError('expected CONTAINER/IFNAME, such as pod1/eth0');
  return { containerID, ifname };
}
