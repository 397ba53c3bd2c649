import { errorMessage, withDetails } from '../cni/error.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { loadBalancersUsing } from '../model/leftovers.ts';
import { isAttached } from '../model/readiness.ts';
import { isSameLoadBalancer } from '../plan/load-balancer-document.ts';
import type { StepTargets } from './changes.ts';
import { deleteEndpoint, deleteUnusedNetwork } from './deletions.ts';
import { findEndpointByKey } from './find-endpoints.ts';
import { removeNewRemoteSubnet, restoreRemoteSubnet } from './remote-subnets.ts';
import { restoreRoute } from './routes.ts';
import type { RollbackName, RollbackStep, StepKind } from './step.ts';
import { ipamPluginOf } from './table.ts';

interface Entry {
  readonly step: object;
  /** What the step changed. */
  readonly kind: StepKind;
  readonly inverse: RollbackStep;
}

/** The steps that undo what a transaction did, in the order to run them. */
export interface Rollback {
  push(entry: Entry): void;
  /** Forgets the inverses of `step`, or of every step. */
  forget(step?: object): void;
  /** Runs every inverse, the last one first. Returns the error with the failures in its details. */
  run(error: unknown): Promise<unknown>;
}

export function newRollback(targets: StepTargets): Rollback {
  let entries: readonly Entry[] = [];
  return {
    push: (entry) => {
      entries = [...entries, entry];
    },
    forget: (step) => {
      entries = step === undefined ? [] : entries.filter((entry) => entry.step !== step);
    },
    run: async (error) => {
      const failures: string[] = [];
      const remaining = new Set<StepKind>();
      const ended = entries.length > 0 ? targets.onRollback?.() : undefined;
      for (const { kind, inverse } of entries.toReversed()) {
        // An endpoint that may still exist may still use its addresses.
        if (kind === 'addresses' && remaining.has('endpoint')) {
          failures.push('the addresses stay assigned until the next DEL');
          continue;
        }
        try {
          const others = entries.filter((one) => one.inverse !== inverse).map((one) => one.inverse);
          await runRollbackStep(inverse, targets, others);
        } catch (failure) {
          remaining.add(kind);
          failures.push(`rollback of the ${kind} failed: ${errorMessage(failure)}`);
        }
      }
      entries = [];
      ended?.();
      return withDetails(error, ...failures);
    },
  };
}

/** Every step of a rollback. */
const rollbackSteps: {
  readonly [Do in RollbackName]: (
    step: RollbackStep<Do>,
    targets: StepTargets,
    others: readonly RollbackStep[],
  ) => Promise<unknown>;
} = {
  'delete unused network': (step, { hcn }) => deleteUnusedNetwork(step, hcn),
  'delete endpoint': ({ id, namespace }, { hcn }) => deleteEndpoint(id, namespace, hcn),
  'release addresses': (_, targets) => delegateCommand(ipamPluginOf(targets), 'DEL'),
  'delete route': ({ route }, { ipHelper }) => ipHelper.deleteRoute(route),
  'restore route': ({ route }, { ipHelper }, others) => restoreRoute(route, others, ipHelper),
  'remove new remote subnet': async ({ id, policy, mayAppear }, { hcn }) => {
    const existed = await removeNewRemoteSubnet(id, policy, hcn);
    if (!existed && mayAppear) throw mayStillAppear('the remote subnet');
  },
  'restore remote subnet': (step, { hcn }, others) => restoreRemoteSubnet(step, others, hcn),
  'delete unattached endpoint': async ({ id, name, mayAppear }, { hcn }) => {
    const endpoint = await findEndpointByKey({ id, name }, hcn);
    if (endpoint !== undefined && !isAttached(endpoint)) await hcn.deleteEndpoint(endpoint.ID);
    if (endpoint === undefined && mayAppear) throw mayStillAppear(`endpoint ${id}`);
  },
  'delete new remote endpoint': async ({ id: requested, mayAppear }, { hcn }) => {
    const { ID: id } = (await hcn.findEndpoint(requested)) ?? { ID: requested };
    if (loadBalancersUsing(id, await hcn.findLoadBalancers()).length > 0) return;
    const existed = await hcn.deleteEndpoint(id);
    if (!existed && mayAppear) throw mayStillAppear(`endpoint ${requested}`);
  },
  'restore remote endpoint': async ({ id, document }, { hcn }) => {
    if ((await hcn.findEndpoint(id)) === undefined)
      await hcn.createEndpoint(document.HostComputeNetwork, id, document);
  },
  'delete new load balancer': async ({ id, mayAppear }, { hcn }) => {
    const existed = await hcn.deleteLoadBalancer(id);
    if (!existed && mayAppear) throw mayStillAppear(`load balancer ${id}`);
  },
  'restore load balancer': async ({ id, document }, { hcn }) => {
    const observed = await hcn.findLoadBalancer(id);
    if (observed !== undefined && isSameLoadBalancer(observed, document)) return;
    if (observed !== undefined) await hcn.deleteLoadBalancer(id);
    await hcn.createLoadBalancer(id, document);
  },
  'delete new namespace': async ({ id }, { hcn }) => {
    const namespace = await hcn.findNamespace(id);
    if (namespace?.Resources?.length === 0) await hcn.deleteNamespace(id);
  },
};

/** Runs a step of a rollback; `others` are its other steps. Throws what the change throws. */
export function runRollbackStep<Do extends RollbackName>(
  step: RollbackStep<Do>,
  targets: StepTargets,
  others: readonly RollbackStep[] = [],
): Promise<unknown> {
  return rollbackSteps[step.do](step, targets, others);
}

function mayStillAppear(object: string): Error {
  return new Error(`${object} may still appear`);
}
