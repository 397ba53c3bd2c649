import { nodeList, nodeObject } from '../unit/cli/nodes/node-list.ts';
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

const folders = ['--bin-dir', 'C:\\opt\\cni\\bin', '--conf-dir', 'C:\\etc\\cni\\net.d'];

const reads: readonly [Template, ...Template[]] = [
  () => words('doctor'),
  ({ conf }, random) => words('doctor', '--conf', conf, '-o', random.pick(['json', 'yaml', 'wide', 'table'])),
  () => words('ls'),
  (_, random) =>
    words(
      'ls',
      random.pick(['networks', 'endpoints', 'namespaces', 'loadbalancers']),
      '-o',
      random.pick(['json', 'yaml', 'wide', 'table']),
    ),
  () => words('ls', 'endpoints', '--remote'),
  ({ container }) => words('show', container),
  ({ container }) => words('show', 'pod', container, '-o', 'json'),
  ({ address }) => words('show', 'ip', address),
  () => words('show', 'port', '8001/tcp'),
  ({ network }) => words('show', 'network', network, '-o', 'json'),
  ({ endpoint }) => words('show', 'endpoint', endpoint),
  ({ namespace }) => words('show', 'namespace', namespace),
  ({ container }) => words('explain-nat', container, '10.96.0.10:53/udp'),
  ({ container }) => words('explain-nat', container, '8.8.8.8', '-o', 'json'),
  ({ container }) => words('explain-acl', container, 'in', '10.9.0.7:80'),
  ({ container }) => words('explain-acl', container, 'out', '169.254.169.254:80/tcp', '-o', 'json'),
  ({ container }) => words('trace', container, '10.244.2.7:80'),
  ({ container, other }) => words('trace', container, `${other}:80`, '-o', 'json'),
  ({ container }) => words('trace', 'node', `${container}:80`),
  ({ container, other }) => ({ ...words('diff', container, other), wrongUsage: container === other }),
  () => words('node', 'describe'),
  ({ network }, random) => words('node', 'describe', network, '-o', random.pick(['json', 'yaml', 'kubectl'])),
  ({ conf }) => words('config', 'check', conf),
  ({ conf }) => words('config', 'plan', conf),
  ({ conf, namespace }) => words('config', 'plan', conf, '--netns', namespace),
  ({ conf }) => words('network', 'ensure', conf),
  ({ conf }) => words('network', 'sync', conf),
  ({ network }) => words('network', 'delete', network),
  ({ endpoint }) => words('endpoint', 'delete', endpoint),
  ({ conf }) => words('cni', 'status', '--conf', conf),
  () => words('cni', 'version'),
  () => words('gc'),
  () => words('gc', '-o', 'json'),
  () => words('gc', '--other-plugins'),
  ({ conf }) => ({ ...words('gc', '--conf', conf, '--ipam'), inThisProcess: true, wrongUsage: true }),
  () => words('explain', '0x803b002f'),
  () => words('explain', 'HNS failed with error : The parameter is incorrect'),
  () => words('config', 'generate', '--type', 'L2Bridge', '--subnet', '10.244.1.0/24'),
  () => words('completion', 'powershell'),
  () => words('version'),
  () => words('--help'),
  ({ container }) => ({ ...words('capture', container), inThisProcess: true }),
  () => ({ ...words('collect', 'node.zip'), inThisProcess: true }),
  () => ({ ...words('install', ...folders), inThisProcess: true }),
  () => ({ ...words('upgrade', ...folders.slice(0, 2)), inThisProcess: true, wrongUsage: true }),
  () => ({ ...words('uninstall', ...folders), inThisProcess: true }),
  () => ({ ...words('ls', 'endpoints', '--watch', '1'), inThisProcess: true }),
  () => ({ ...words('ls', 'everything'), wrongUsage: true }),
  () => ({ ...words('show'), wrongUsage: true }),
  ({ container }) => ({ ...words('explain-acl', container, 'sideways', 'x'), wrongUsage: true }),
  ({ conf }) => ({ ...words('network', 'sync', conf, '--nodes', 'missing.json'), wrongUsage: true }),
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
  ({ conf }) => ({
    ...words('gc', '--conf', conf, '--ipam', '--yes'),
    inThisProcess: true,
    wrongUsage: true,
  }),
  ({ conf }) => words('network', 'ensure', conf, '--yes'),
  ({ conf }) => words('network', 'sync', conf, '--yes'),
  ({ conf }) => ({
    ...words('network', 'sync', conf, '--yes', '--nodes', 'nodes.json'),
    files: { 'nodes.json': nodes },
  }),
  ({ network }) => ({ ...words('network', 'delete', network, '--yes'), endangers: network }),
  ({ conf, network }) => ({ ...words('network', 'delete', conf, '--yes'), endangers: network }),
  () => words('loadbalancer', 'delete', balancer.name, '--yes'),
  ({ endpoint, container }) => ({ ...words('endpoint', 'detach', endpoint, '--yes'), takesFrom: container }),
  ({ endpoint, container }) => ({ ...words('endpoint', 'delete', endpoint, '--yes'), takesFrom: container }),
  ({ conf, keep }) => ({
    ...words('cni', 'gc', '--conf', conf, ...keep.flatMap((name) => ['--keep', `${name}/eth0`]), '--yes'),
    inThisProcess: true,
  }),
];

const applyBalancer: Template = ({ network, address }) => ({
  ...words('loadbalancer', 'apply', 'balancer.json'),
  files: { 'balancer.json': JSON.stringify({ ...balancer, network, backends: [address] }) },
});

/** Reports what it leaves if HNS fails during its cleanup. */
const probe: Template = () => ({ ...words('probe', '--yes'), inThisProcess: true });

export const deleteBalancer: readonly string[] = ['loadbalancer', 'delete', balancer.name, '--yes'];

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
  const { crowd, slow, faults } = climate;
  const some: readonly Template[] = [
    ...(slow || faults ? [] : [probe]),
    ...(world.choosesIds ? [] : [applyBalancer]),
    ...changes,
  ];
  const template = crowd && random.chance(0.5) ? (random.pickIfAny(some) ?? probe) : random.pick(reads);
  return { files: {}, ...template(subject, random) };
}
