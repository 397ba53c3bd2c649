import { example } from '../example.ts';
import type { Call, Node } from '../node.ts';
import { attachNew } from './other-programs.ts';
import type { Scenario } from './scenario.ts';

const ipam = { type: 'test-ipam' };
const l2bridge = example('l2bridge', { cniVersion: '1.1.0' });
const withIpam = { ...l2bridge, ipam };
const overlay = example('overlay', { cniVersion: '1.1.0' });
const hostEndpoint = example('l2bridge-host-endpoint', { cniVersion: '1.1.0', ipam });
const { hostEndpoint: _, ...withoutHostEndpoint } = hostEndpoint;
/** Without what adds calls to each ADD: scenarios of L2Bridge have the host endpoint. */
const dualStack = example('dual-stack', {
  cniVersion: '1.1.0',
  ipam,
  hostEndpoint: undefined,
  loopbackDSR: undefined,
});
const bridged = ['10.244.2.'] as const;
const both = ['10.244.3.', 'fd00:10:244:3::'] as const;

const mapped = (config: object, hostPort: number) => ({
  ...config,
  runtimeConfig: { portMappings: [{ hostPort, containerPort: 80, protocol: 'tcp' }] },
});

export const adds: readonly Scenario[] = [
  { name: 'ADD', config: l2bridge, neighbor: l2bridge, calls: 6, runs: 0 },
  { name: 'ADD that creates the network', config: l2bridge, neighbor: undefined, calls: 12, runs: 0 },
  { name: 'ADD with an IPAM plugin', config: withIpam, neighbor: withIpam, calls: 6, runs: 1 },
  {
    name: 'ADD with an IPAM plugin that creates the network',
    config: withIpam,
    neighbor: undefined,
    calls: 12,
    runs: 1,
  },
  {
    name: 'ADD beside the host endpoint',
    config: hostEndpoint,
    prefixes: bridged,
    neighbor: hostEndpoint,
    calls: 9,
    runs: 1,
  },
  {
    name: 'ADD that creates the host endpoint',
    config: hostEndpoint,
    prefixes: bridged,
    neighbor: withoutHostEndpoint,
    calls: 15,
    runs: 1,
  },
  {
    name: 'ADD that creates the network with its host endpoint',
    config: hostEndpoint,
    prefixes: bridged,
    neighbor: undefined,
    calls: 21,
    runs: 1,
  },
  {
    name: 'ADD with an address of each family that creates the network',
    config: mapped(dualStack, 8080),
    prefixes: both,
    neighbor: undefined,
    calls: 13,
    runs: 1,
  },
  {
    name: 'ADD with a host port',
    config: mapped(withIpam, 8080),
    neighbor: mapped(withIpam, 8081),
    calls: 6,
    runs: 1,
  },
  {
    name: 'ADD whose policies need the address HNS assigned',
    config: { ...l2bridge, loopbackDSR: true },
    neighbor: l2bridge,
    calls: 8,
    runs: 0,
  },
  { name: 'ADD on an Overlay network', config: overlay, neighbor: overlay, calls: 6, runs: 0 },
  {
    name: 'ADD that creates an Overlay network',
    config: overlay,
    neighbor: undefined,
    calls: 12,
    runs: 0,
  },
].map((scenario) => ({ command: 'ADD', ...scenario }));

const withoutExtras = (name: string) => {
  const { ipam: _, hostEndpoint: __, loopbackDSR: ___, ...config } = example(name, { cniVersion: '1.1.0' });
  return config;
};

/** These create a network with remote subnets of other nodes. */
export const addsOfRemoteSubnets: readonly Scenario[] = [
  {
    name: 'ADD that creates routes to other nodes',
    config: withoutExtras('static-routes'),
    calls: 12,
  },
  {
    name: 'ADD that adds remote subnets to an Overlay network',
    config: withoutExtras('static-overlay'),
    calls: 15,
  },
].map((scenario) => ({ command: 'ADD', neighbor: undefined, runs: 0, ...scenario }));

interface Attached {
  readonly node: Node;
  readonly call: Call;
}

const byAdd = ({ node, call }: Attached) => node.cni('ADD', call);

/** Creates an endpoint as win-bridge does: with a random id and without the interface in its name. */
const byWinBridge = async ({ node, call: { pod } }: Attached) => {
  const [network] = node.hns.dump().networks.filter(({ Name }) => Name === 'l2bridge');
  const HostComputeNetwork = String(network?.['ID']);
  const SchemaVersion = { Major: 2, Minor: 0 };
  const Name = `${pod.containerId}_l2bridge`;
  const document = { Name, HostComputeNetwork, SchemaVersion };
  await attachNew(node, '7d3e0b1c-52a4-4f0e-8a9d-3c1f6b2e9d47', document, pod.netns);
  return {};
};

export const dels: readonly Scenario[] = [
  { name: 'DEL', config: l2bridge, neighbor: l2bridge, attach: byAdd, calls: 3, runs: 0 },
  {
    name: 'DEL with an IPAM plugin',
    config: withIpam,
    neighbor: withIpam,
    attach: byAdd,
    calls: 3,
    runs: 1,
  },
  { name: 'DEL of nothing', config: withIpam, neighbor: withIpam, calls: 5, runs: 1 },
  ...[
    { name: 'DEL without CNI_NETNS', config: withIpam, attach: byAdd, calls: 1, runs: 1 },
    { name: 'DEL of nothing without CNI_NETNS', config: withIpam, calls: 3, runs: 1 },
  ].map((scenario) => ({ ...scenario, neighbor: withIpam, withoutNetns: true as const })),
].map((scenario) => ({ command: 'DEL', ...scenario }));

/** GC deletes none of these with win-hcn's own configuration. */
export const dropInDels: readonly Scenario[] = [
  {
    name: "DEL of win-bridge's endpoint",
    config: l2bridge,
    neighbor: l2bridge,
    attach: byWinBridge,
    calls: 9,
    runs: 0,
    nexts: ['DEL'] as const,
  },
].map((scenario) => ({ command: 'DEL', ...scenario }));

export const checks: readonly Scenario[] = [
  { name: 'CHECK', config: withIpam, neighbor: withIpam, attach: byAdd, calls: 4, runs: 1 },
  {
    name: 'CHECK of an MTU',
    config: { ...withIpam, mtu: 1400 },
    neighbor: withIpam,
    attach: byAdd,
    calls: 6,
    runs: 1,
  },
].map((scenario) => ({ command: 'CHECK', ...scenario }));

export const gcs: readonly Scenario[] = [
  { name: 'GC of an endpoint', config: withIpam, neighbor: withIpam, attach: byAdd, calls: 9, runs: 1 },
  { name: 'GC of nothing', config: withIpam, neighbor: withIpam, calls: 3, runs: 1 },
  { name: 'GC without a network', config: withIpam, neighbor: undefined, calls: 2, runs: 1 },
].map((scenario) => ({ command: 'GC', ...scenario }));

export const statuses: readonly Scenario[] = [
  { name: 'STATUS', config: withIpam, neighbor: withIpam, calls: 2, runs: 1 },
  { name: 'STATUS without a network', config: withIpam, neighbor: undefined, calls: 2, runs: 1 },
  {
    name: 'STATUS with a feature',
    config: hostEndpoint,
    neighbor: hostEndpoint,
    prefixes: bridged,
    calls: 3,
    runs: 1,
  },
].map((scenario) => ({ command: 'STATUS', ...scenario }));

/** All scenarios but ADDs. */
export const others: readonly Scenario[] = [...dels, ...dropInDels, ...checks, ...gcs, ...statuses];

/** Scenarios with the calls of another one. */
const withCallsOfAnother: readonly string[] = [
  'ADD that creates the network',
  'ADD with an IPAM plugin that creates the network',
  'ADD that creates the host endpoint',
  'ADD with a host port',
  'ADD on an Overlay network',
];

/** All scenarios with calls of their own. They stand for the others before a change lands. */
export const distinctScenarios: readonly Scenario[] = [...adds, ...addsOfRemoteSubnets, ...others].filter(
  ({ name }) => !withCallsOfAnother.includes(name),
);

/** One of each kind of command, those that change most among them. */
export const centralScenarios: readonly Scenario[] = [...adds, ...others].filter(({ name }) =>
  [
    'ADD with an IPAM plugin',
    'ADD that creates the network with its host endpoint',
    'ADD that creates an Overlay network',
    'DEL with an IPAM plugin',
    'DEL without CNI_NETNS',
    'CHECK',
    'GC of an endpoint',
    'STATUS',
  ].includes(name),
);
