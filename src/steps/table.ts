import { addValidAttachments } from '../config/essential-keys.ts';
import { delegateAdd, delegateCommand, type IpamPlugin } from '../ipam/delegate.ts';
import { sourceVipId } from '../model/identity.ts';
import { describeNodeRoute } from '../net/node-route.ts';
import type { StepTargets } from './changes.ts';
import { deleteEndpoint, deleteUnusedNetwork } from './deletions.ts';
import { describeRemoteSubnet, removeRemoteSubnet } from './remote-subnets.ts';
import { createRoute, enableForwarding } from './routes.ts';
import type { RollbackStep, Step, StepKind, StepName, StepResult } from './step.ts';

interface Row<Do extends StepName> {
  readonly kind: StepKind;
  /** What the step does, with the names and ids of its objects. */
  readonly title: (step: Step<Do>) => string;
  /** Returns false if there was nothing to change. Throws what the change throws. */
  readonly run: (step: Step<Do>, targets: StepTargets) => Promise<StepResult<Do>>;
  /** The step that undoes this one, if anything has to. `mayAppear`: the outcome of this one is unknown. */
  readonly inverse?: (step: Step<Do>, mayAppear: boolean) => RollbackStep;
  /** What remains of the step after a failure, for the error. */
  readonly remains?: (step: Step<Do>) => string;
}

/** Every step: what it changes, what it is called, how it runs, and what undoes it. */
const steps: { readonly [Do in StepName]: Row<Do> } = {
  'create network': {
    kind: 'network',
    title: ({ id, document: { Name, Type } }) => `create ${Type} network "${Name}" (${id})`,
    run: ({ id, document }, { hcn }) => hcn.createNetwork(id, document),
    remains: ({ document: { Name } }) => `network "${Name}" was created and stays: the next request uses it`,
  },
  'add network policies': {
    kind: 'policy',
    title: ({ name, policies }) => `add ${policies.map(({ Type }) => Type).join(', ')} to network "${name}"`,
    run: ({ id, policies }, { hcn }) => hcn.addNetworkPolicies(id, policies),
  },
  'add remote subnet': {
    kind: 'policy',
    title: ({ name, policy }) => `add remote subnet ${describeRemoteSubnet(policy)} to network "${name}"`,
    run: ({ id, policy }, { hcn }) => hcn.addNetworkPolicies(id, [policy]),
    inverse: ({ id, name, policy }, mayAppear) => ({
      do: 'remove new remote subnet',
      id,
      name,
      policy,
      mayAppear,
    }),
  },
  'remove remote subnet': {
    kind: 'policy',
    title: ({ name, policy }) =>
      `remove remote subnet ${describeRemoteSubnet(policy)} from network "${name}"`,
    run: ({ id, policy }, { hcn }) => removeRemoteSubnet(id, policy, hcn),
    inverse: ({ id, name, policy }) => ({ do: 'restore remote subnet', id, name, policy }),
  },
  'delete unused network': {
    kind: 'network',
    title: ({ id, name, hostEndpoints }) =>
      `delete network "${name}" (${id})${hostEndpoints.length === 0 ? '' : ` and its ${hostEndpoints[0] === sourceVipId(name) ? 'source VIP' : 'host endpoint'} (${hostEndpoints.join(', ')})`}`,
    run: (step, { hcn }) => deleteUnusedNetwork(step, hcn),
  },
  'create endpoint': {
    kind: 'endpoint',
    title: ({ id, document: { Name } }) => `create endpoint "${Name}" (${id})`,
    run: createEndpoint,
    inverse: ({ id, document: { Name: name } }, mayAppear) => ({
      do: 'delete unattached endpoint',
      id,
      name,
      mayAppear,
    }),
  },
  'create host endpoint': {
    kind: 'endpoint',
    title: ({ id, document: { Name } }) => `create host endpoint "${Name}" (${id})`,
    run: createEndpoint,
  },
  'add endpoint policies': {
    kind: 'policy',
    title: ({ name, policies }) => `add ${policies.map(({ Type }) => Type).join(', ')} to endpoint "${name}"`,
    run: ({ id, policies }, { hcn }) => hcn.addPolicies(id, policies),
  },
  'attach endpoint': {
    kind: 'endpoint',
    title: ({ name, namespace }) => `attach endpoint "${name}" to namespace ${namespace}`,
    run: attachEndpoint,
    inverse: (step) => ({ ...step, do: 'delete attached endpoint' }),
  },
  'attach host endpoint': {
    kind: 'endpoint',
    title: ({ name, namespace }) => `attach host endpoint "${name}" to the host namespace ${namespace}`,
    run: attachEndpoint,
  },
  'detach endpoint': {
    kind: 'endpoint',
    title: ({ endpoint, name, namespace }) =>
      `detach endpoint "${name}" (${endpoint}) from namespace ${namespace}`,
    run: ({ endpoint, namespace }, { hcn }) => hcn.removeEndpoint(namespace, endpoint),
  },
  'delete endpoint': {
    kind: 'endpoint',
    title: ({ id, name }) => `delete endpoint "${name}" (${id})`,
    run: ({ id, namespace }, { hcn }) => deleteEndpoint(id, namespace, hcn),
  },
  'delete leftover endpoint': {
    kind: 'endpoint',
    title: ({ id, name }) => `delete leftover endpoint "${name}" (${id})`,
    run: ({ id }, { hcn }) => hcn.deleteEndpoint(id),
  },
  'delete load balancer': {
    kind: 'load balancer',
    title: ({ id, previous }) =>
      `delete load balancer ${id} for ${previous.FrontendVIPs?.join(', ') || 'the addresses of the node'}`,
    run: ({ id }, { hcn }) => hcn.deleteLoadBalancer(id),
    inverse: ({ id, previous: document }) => ({ do: 'restore load balancer', id, document }),
  },
  'create namespace': {
    kind: 'namespace',
    title: ({ id }) => `create namespace ${id}`,
    run: ({ id, document }, { hcn }) => hcn.createNamespace(id, document),
    inverse: ({ id }) => ({ do: 'delete new namespace', id }),
  },
  'delete namespace': {
    kind: 'namespace',
    title: ({ id }) => `delete namespace ${id}`,
    run: ({ id }, { hcn }) => hcn.deleteNamespace(id),
  },
  'assign addresses': {
    kind: 'addresses',
    title: ({ plugin }) => `assign addresses with IPAM plugin ${plugin}`,
    run: (_, targets) => delegateAdd(ipamPluginOf(targets)),
    inverse: ({ plugin }) => ({ do: 'release addresses', plugin }),
  },
  'release addresses': {
    kind: 'addresses',
    title: ({ plugin }) => `release addresses with IPAM plugin ${plugin}`,
    run: (_, targets) => delegateCommand(ipamPluginOf(targets), 'DEL'),
  },
  'release unused addresses': {
    kind: 'addresses',
    title: ({ plugin }) => `release the addresses of invalid attachments with IPAM plugin ${plugin}`,
    run: ({ remaining }, targets) => {
      const ipam = ipamPluginOf(targets);
      return delegateCommand({ ...ipam, stdin: addValidAttachments(remaining, ipam.stdin) }, 'GC');
    },
  },
  'enable forwarding': {
    kind: 'route',
    title: ({ network: { Name }, address }) =>
      `enable forwarding on the adapter of network "${Name}" and on host endpoint ${address}, and delete its default routes`,
    run: ({ network, ...own }, targets) => enableForwarding(network, own, targets),
  },
  'create route': {
    kind: 'route',
    title: ({ route }) => `create the ${describeNodeRoute(route)}`,
    run: ({ route }, { ipHelper }) => createRoute(route, ipHelper),
    inverse: ({ route }) => ({ do: 'delete route', route }),
  },
  'delete route': {
    kind: 'route',
    title: ({ route }) => `delete the ${describeNodeRoute(route)}`,
    run: ({ route }, { ipHelper }) => ipHelper.deleteRoute(route),
    inverse: ({ route }) => ({ do: 'restore route', route }),
  },
};

function createEndpoint(
  { id, document }: Omit<Step<'create host endpoint'>, 'do'>,
  { hcn }: StepTargets,
): Promise<void> {
  return hcn.createEndpoint(document.HostComputeNetwork, id, document);
}

function attachEndpoint(
  { endpoint, namespace }: Omit<Step<'attach host endpoint'>, 'do'>,
  { hcn }: StepTargets,
): Promise<void> {
  return hcn.addEndpoint(namespace, endpoint);
}

/** Runs a step. Throws what the change throws. */
export function runStep<Do extends StepName>(step: Step<Do>, targets: StepTargets): Promise<StepResult<Do>> {
  return steps[step.do].run(step, targets);
}

/** The step that undoes this one; undefined if nothing has to. */
export function inverseOf<Do extends StepName>(
  step: Step<Do>,
  outcome: 'done' | 'unknown',
): RollbackStep | undefined {
  return steps[step.do].inverse?.(step, outcome === 'unknown');
}

/** What remains of a step after a failure, in a sentence; undefined if nothing does. */
export function remainsOf<Do extends StepName>(step: Step<Do>): string | undefined {
  return steps[step.do].remains?.(step);
}

/** What a step does, in one line, with the names and ids of its objects. */
export function titleOf<Do extends StepName>(step: Step<Do>): string {
  return steps[step.do].title(step);
}

/** What a step changes. */
export function kindOf({ do: name }: { readonly do: StepName }): StepKind {
  return steps[name].kind;
}

/** Throws an internal error without an IPAM plugin: only a configuration with one leads to its steps. */
export function ipamPluginOf({ locateIpam }: StepTargets): IpamPlugin {
  const plugin = locateIpam();
  if (plugin === undefined) throw new Error('the configuration has no IPAM plugin');
  return plugin;
}
