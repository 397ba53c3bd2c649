import { type Command, InvalidArgumentError } from 'commander';
import { newCommand } from '../new-command.ts';
import type { Session } from '../session.ts';
import { parsePort } from './capabilities.ts';
import { carryOut, type Flags, version } from './carry-out.ts';
import type { Attached, CniCommand } from './request.ts';

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
  return group
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(
      attaching(session, 'ADD', 'make an interface in a namespace', `add ${conf} ${pod} --port 8080:80/tcp`),
    )
    .addCommand(
      attaching(
        session,
        'CHECK',
        'compare an interface with its result',
        `check ${conf} ${pod} --prev-result result.json`,
      ),
    )
    .addCommand(
      withContainer(request(session, 'DEL', 'remove an interface', `del ${conf} --container pod1`)).option(
        '--netns <guid>',
        'the namespace, which DEL does not need',
      ),
    )
    .addCommand(
      request(
        session,
        'GC',
        'delete what is of no valid attachment',
        `gc ${conf} --keep pod1/eth0 --keep pod2/eth0`,
      )
        .option('--keep <container/ifname>', 'a valid attachment; more than once', collected(parseAttached))
        .option('--keep-none', 'there is no valid attachment: delete all that win-hcn made on the network'),
    )
    .addCommand(request(session, 'STATUS', 'whether an ADD would succeed', `status ${conf}`))
    .addCommand(
      newCommand('cni version', session, {
        summary: 'VERSION: the versions of the protocol',
        examples: ['win-hcn cni version'],
      }).action(() => version(session)),
    );
}

function attaching(session: Session, command: 'ADD' | 'CHECK', summary: string, example: string): Command {
  const text = (value: string) => value;
  const previous = '--prev-result <file>';
  const described = 'the result of the ADD; - is stdin';
  const given = withContainer(request(session, command, summary, example)).requiredOption(
    '--netns <guid>',
    'the HCN namespace of the pod',
  );
  const shared =
    command === 'CHECK'
      ? given.requiredOption(previous, described)
      : given.option(previous, 'the result of the plugins before this one; - is stdin');
  return shared
    .option('--args <pairs>', 'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"')
    .option(
      '--port <mapping>',
      'the capability portMappings, as [HOST_IP:]HOST:CONTAINER[/PROTOCOL]; more than once',
      collected(parsePort),
    )
    .option('--dns <server>', 'the capability dns: a server; more than once', collected(text))
    .option('--dns-search <domain>', 'the capability dns: a search domain; more than once', collected(text))
    .option('--mac <address>', 'the capability mac')
    .option('--ip <address>', 'the capability ips; more than once', collected(text));
}

function withContainer(command: Command): Command {
  return command
    .requiredOption('--container <id>', 'the container, CNI_CONTAINERID')
    .option('--ifname <name>', 'the interface, CNI_IFNAME', 'eth0');
}

/** One request with the flags that all of them have. */
function request(session: Session, command: CniCommand, summary: string, example: string): Command {
  return newCommand(`cni ${command.toLowerCase()}`, session, {
    summary: `${command}: ${summary}`,
    examples: [`win-hcn cni ${example}`],
  })
    .requiredOption('--conf <file>', 'a conflist or the configuration of one plugin; - is stdin')
    .option('--plugin <type>', 'which plugin of the list, where several are for win-hcn')
    .option('--cni-path <folders>', 'where IPAM plugins are, CNI_PATH (default: the folder of win-hcn.exe)')
    .option('--json', 'print one JSON document: input, answer, calls')
    .action((flags: Flags) => carryOut(command, flags, session));
}

function collected<T>(parse: (text: string) => T): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)];
}

function parseAttached(text: string): Attached {
  const [, containerID, ifname] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (containerID === undefined || ifname === undefined)
    throw new InvalidArgumentError('expected CONTAINER/IFNAME, such as pod1/eth0');
  return { containerID, ifname };
}
