import { ensureHostEndpoint } from '../../src/commands/host-endpoint.ts';
import { ensureNetwork, findNetwork, findOrPlanNetwork } from '../../src/commands/network.ts';
import { planSync, readRoutingState, syncRemoteSubnets } from '../../src/commands/sync-remote-subnets.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { commandContextOf, newStepTargets } from '../../src/plugin/command-context.ts';
import { failure, noOutput, type Outcome } from '../../src/plugin/outcome.ts';
import { run } from '../../src/plugin/run.ts';
import { executeSteps } from '../../src/steps/execute.ts';
import type { System } from '../../src/system.ts';
import { type Ipam, newIpam } from '../e2e/ipam.ts';
import { createNamespace } from '../simulator/namespaces.ts';
import { nodeRoutes } from '../simulator/node-routes.ts';
import { type EndpointObject, namespaceOf, type State } from '../simulator/state.ts';
import { ipHelperWithoutDll } from '../simulator/without-dll.ts';
import type { Json } from './changes.ts';
import { newClock } from './clock.ts';
import { namespace, nodeFor, systemOf } from './request.ts';
import { type Choose, newScheduler, type Scheduler } from './scheduler.ts';
import { serviceLibrary } from './service-library.ts';

/** A CNI command for `eth0` of a container, or a command of the command line for the network of a configuration. */
export interface Command {
  readonly command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS' | 'network ensure' | 'network sync';
  readonly containerId: string;
  readonly config: Json;
}

/** What commands did, and what they left. */
export interface Played {
  readonly codes: readonly number[];
  readonly overtakings: readonly string[];
  /** Networks, endpoints and addresses. */
  readonly left: readonly string[];
  /** After a DEL of each container. */
  readonly leftByDel: readonly string[];
}

/** Commands that run at once on a node, after others that ran alone. */
export interface Scene {
  readonly before?: readonly Command[];
  readonly commands: readonly Command[];
}

/** Runs a scene in the order that `choose` decides. */
export async function play({ before = [], commands }: Scene, choose: Choose): Promise<Played> {
  const state = await nodeFor({ config: {}, before: undefined, within: '' });
  const ipam = newIpam();
  ipam.prefix = /\d+\.\d+\.\d+\.(?=0\/24)/.exec(JSON.stringify(commands[0]?.config))?.[0] ?? ipam.prefix;
  const results = new Map<string, unknown>();
  const systemFor = (command: Command): System => {
    const host = { library: serviceLibrary(state), helper: ipHelperWithoutDll(state), ipam };
    const stdin = stdinOf(command, results.get(command.containerId));
    return {
      ...systemOf(command.command, stdin, host, newClock()),
      environment: environmentOf(command, state),
    };
  };
  const begin = (command: Command, index: number, scheduler: Scheduler) => {
    const system = systemFor(command);
    return start(command, {
      ...system,
      loadLibrary: async () => scheduler.library(index, await system.loadLibrary()),
      loadIpHelper: async () => scheduler.ipHelper(index, await system.loadIpHelper()),
      spawn: (_, environment, stdin) => {
        const name = `IPAM ${environment['CNI_COMMAND']}`;
        return scheduler.spawn(index, name, () => ipam.run(environment, stdin));
      },
      timer: scheduler.timer,
      now: scheduler.now,
    });
  };
  const alone = async (command: Command) => {
    const scheduler = newScheduler(() => 0);
    const [answer] = await scheduler.finish([begin(command, 0, scheduler)]);
    if (command.command === 'ADD') results.set(command.containerId, JSON.parse(answer?.stdout ?? ''));
  };
  for (const command of before) await alone(command);
  const scheduler = newScheduler(choose);
  const answers = await scheduler.finish(commands.map((command, index) => begin(command, index, scheduler)));
  const left = leftIn(state, ipam);
  for (const { containerId, config } of commands) await alone({ command: 'DEL', containerId, config });
  return {
    codes: answers.map(({ exitCode, stdout }) => (exitCode === 0 ? 0 : JSON.parse(stdout).code)),
    overtakings: scheduler.overtakings,
    left,
    leftByDel: leftIn(state, ipam),
  };
}

function stdinOf({ command, config }: Command, prevResult: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...config, ...(command === 'CHECK' && { prevResult }) }));
}

/** Starts a command. Those of the command line start after their output of the plan. */
async function start({ command, config }: Command, system: System): Promise<Outcome> {
  if (command !== 'network ensure' && command !== 'network sync') return run(system);
  const opened = openConfig(config, system.executable, '');
  const targets = newStepTargets('ADD', opened.json, JSON.stringify(config), system, () => undefined);
  const context = commandContextOf(targets, executeSteps(targets), () => undefined);
  const key = readNetworkConfig(opened.json, system.environment, opened);
  try {
    if (command === 'network ensure')
      await context.changes.transaction(async () => {
        const plan = await findOrPlanNetwork(key, context);
        await ensureHostEndpoint(plan, await ensureNetwork(plan, context), context);
      });
    else {
      const network = await findNetwork(key, context.hcn);
      if (network === undefined) throw new Error('there is no network to sync');
      const planned = planSync(await readRoutingState(network, context), key.remoteSubnets);
      await syncRemoteSubnets(planned, context);
    }
    return noOutput;
  } catch (error) {
    return failure(error);
  }
}

/** Each container has a namespace of its own; the first has that of the node. */
function environmentOf({ command, containerId }: Command, state: State): Readonly<Record<string, string>> {
  const netns = namespace.replace(
    /^.{8}/,
    Buffer.from(containerId.padEnd(4, '0')).toString('hex').slice(0, 8),
  );
  if (!state.namespaces.has(netns))
    createNamespace(state, netns, { SchemaVersion: { Major: 2, Minor: 0 }, Type: 'Host' });
  return {
    CNI_COMMAND: command,
    CNI_CONTAINERID: containerId,
    CNI_NETNS: netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/opt/cni/bin',
  };
}

function leftIn(state: State, { leases }: Ipam): readonly string[] {
  const describe = (endpoint: EndpointObject) =>
    `${namespaceOf(state, endpoint) === undefined ? 'unattached ' : ''}endpoint ${endpoint.document['Name']}`;
  return [
    ...[...state.networks.values()].map(({ document }) => `network ${document['Name']}`),
    ...nodeRoutes(state)
      .filter(({ prefix }) => prefix.startsWith('10.244.'))
      .map(({ prefix, nextHop }) => `route to ${prefix} via ${nextHop}`),
    ...[...state.endpoints.values()].map(describe),
    ...[...leases.keys()].map((holder) => `address of ${holder.replace(' eth0', '')}`),
  ].toSorted();
}
