import { nodeList, nodeObject } from '../unit/cli/network/node-list.ts';
import type { Random } from './random.ts';
import type { Round } from './round.ts';

/** A command line of an operator, and its possible effects on pods. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** A network that it deletes if no pod uses it. */
  readonly endangers?: string;
  /** The container whose endpoint it detaches or deletes. */
  readonly takesFrom?: string;
  /** It needs files or programs that only a run in this process can simulate. */
  readonly inThisProcess?: true;
  /** Its arguments are wrong, at least for some networks. */
  readonly wrongUsage?: boolean;
}

/** The objects that a command line can name. */
interface Subject {
  readonly container: string;
  readonly other: string;
  readonly address: string;
  readonly network: string;
  readonly endpoint: string;
  readonly namespace: string;
  readonly conf: string;
  /** All containers. */
  readonly keep: readonly string[];
}

type Template = (
  subject: Subject,
  random: Random,
) => Omit<CommandLine, 'files'> & { readonly files?: CommandLine['files'] };

const words = (...all: readonly string[]) => ({ words: all });

/** Reads change nothing: these show what a storm can break. */
const reads: readonly [Template, ...Template[]] = [
  () => words('doctor'),
  () => words('ls', '-o', 'json'),
  ({ container }) => words('show', container),
  ({ container, other }) => words('trace', container, `${other}:80`, '-o', 'json'),
  ({ conf, namespace }) => words('config', 'plan', conf, '--netns', namespace),
  ({ conf }) => words('network', 'sync', conf),
  () => words('gc', '--other-plugins'),
  ({ conf }) => ({ ...words('gc', '--conf', conf, '--ipam'), inThisProcess: true, wrongUsage: true }),
];

const balancer = { name: 'storm', frontendVIPs: ['10.96.0.11'], ports: [{ protocol: 'udp', port: 53 }] };
/** This node is the one with .4 and network 10.244.1.0/24. */
const nodes = nodeList(
  ...[1, 7, 8, 9].map((n) =>
    nodeObject({
      name: `node-${n}`,
      podCIDRs: [`10.244.${n}.0/24`],
      address: `10.0.0.${n === 1 ? 4 : n}`,
    }),
  ),
);

const changes: readonly [Template, ...Template[]] = [
  () => words('gc', '--yes'),
  ({ network }) => words('gc', '--network', network, '--other-plugins', '--yes'),
  ({ conf }) => ({
    ...words('gc', '--conf', conf, '--ipam', '--yes'),
    inThisProcess: true,
    wrongUsage: true,
  }),
  ({ conf }) => words('network', 'ensure', conf, '--yes'),
  ({ conf }) => ({
    ...words('network', 'sync', conf, '--yes', '--nodes', 'nodes.json'),
    files: { 'nodes.json': nodes },
  }),
  ({ network }) => ({ ...words('network', 'delete', network, '--yes'), endangers: network }),
  () => words('debug', 'loadbalancer', 'delete', balancer.name, '--yes'),
  ({ endpoint, container }) => ({
    ...words('debug', 'endpoint', 'detach', endpoint, '--yes'),
    takesFrom: container,
  }),
  ({ endpoint, container }) => ({
    ...words('debug', 'endpoint', 'delete', endpoint, '--yes'),
    takesFrom: container,
  }),
  ({ conf, keep }) => ({
    ...words(
      'debug',
      'cni',
      'gc',
      '--conf',
      conf,
      ...keep.flatMap((name) => ['--keep', `${name}/eth0`]),
      '--yes',
    ),
    inThisProcess: true,
  }),
];

const applyBalancer: Template = ({ network, address }) => ({
  ...words('debug', 'loadbalancer', 'apply', 'balancer.json'),
  files: { 'balancer.json': JSON.stringify({ ...balancer, network, backends: [address] }) },
});

export const deleteBalancer: readonly string[] = ['debug', 'loadbalancer', 'delete', balancer.name, '--yes'];

/** Chooses a command line for existing objects, or for missing ones. */
export function chooseCommandLine(round: Round, random: Random): CommandLine {
  const { pods, world, climate } = round;
  const pod = random.pickIfAny(pods);
  const containerId = pod?.containerId ?? 'none';
  const network = pod?.network.name ?? 'none';
  const endpoint = world.hns.dump().endpoints.find(({ Name }) => String(Name).startsWith(`${containerId}_`));
  const [ip] = (endpoint?.['IpConfigurations'] ?? []) as readonly { readonly IpAddress: string }[];
  const subject: Subject = {
    container: containerId,
    other: random.pickIfAny(pods)?.containerId ?? 'none',
    address: ip?.IpAddress ?? '10.244.1.10',
    network,
    endpoint: String(endpoint?.['ID'] ?? '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d'),
    namespace: pod?.netns ?? '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
    conf: `${network}.conf`,
    keep: pods.map((one) => one.containerId),
  };
  const { crowd } = climate;
  const some: readonly Template[] = [...(world.choosesIds ? [] : [applyBalancer]), ...changes];
  const template =
    crowd && random.chance(0.5) ? (random.pickIfAny(some) ?? random.pick(reads)) : random.pick(reads);
  return { files: {}, ...template(subject, random) };
}
