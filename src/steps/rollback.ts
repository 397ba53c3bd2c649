import { errorMessage, withDetails } from '../cni/error.ts';
import type { HcnClient } from '../hcn/client.ts';
import { HcnInvalidResponse } from '../hcn/errors.ts';
import type { EndpointId } from '../hcn/guid.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { isAttached } from '../model/readiness.ts';
import type { StepTargets } from './changes.ts';
import { deleteEndpoint } from './deletions.ts';
import { findEndpointByKey, isCreatedHere } from './find-endpoints.ts';
import { removeNewRemoteSubnet, restoreRemoteSubnet } from './remote-subnets.ts';
import { restoreRoute } from './routes.ts';
import type { RollbackName, RollbackStep, StepKind } from './step.ts';
import { ipamPluginOf } from './table.ts';

interface Entry {
  readonly step: object;
  /** What the step changed. */
  readonly kind: StepKind;
  readonly inverse: RollbackStep;
  /** Whether there is nothing left to undo. */
  readonly isLost?: () => boolean;
}

/** The steps that undo what a transaction did, in the order to run them. */
export interface Rollback {
  push(entry: Entry): void;
  /** Skips the inverses of `step` if `isLost` returns true right before them; the first call for an inverse counts. Default: always. */
  keep(step: object, isLost?: () => boolean): void;
  /** Forgets every inverse. */
  forget(): void;
  /** Runs every inverse, the last one first. Returns the error with the failures in its details. */
  run(error: unknown): Promise<unknown>;
}

/** An empty rollback that changes these targets. */
export function newRollback(targets: StepTargets): Rollback {
  let entries: readonly Entry[] = [];
  return {
    push: (entry) => {
      entries = [...entries, entry];
    },
    keep: (step, isLost = () => true) => {
      entries = entries.map((entry) => (entry.step === step ? { isLost, ...entry } : entry));
    },
    forget: () => {
      entries = [];
    },
    run: async (error) => {
      const failures = new Set<string>();
      const remaining = new Set<StepKind>();
      const ended = entries.length > 0 ? targets.onRollback?.() : undefined;
      for (const { kind, inverse, isLost } of entries.toReversed()) {
        if (isLost?.()) continue;
        // An endpoint that may still exist may still use its addresses.
        if (kind === 'addresses' && remaining.has('endpoint')) {
          failures.add('the addresses stay assigned until the next DEL');
          continue;
        }
        try {
          const others = entries.filter((one) => one.inverse !== inverse).map((one) => one.inverse);
          await runRollbackStep(inverse, targets, others);
        } catch (failure) {
          remaining.add(kind);
          failures.add(`rollback of the ${kind} failed: ${errorMessage(failure)}`);
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
  'release addresses': (_, targets) => delegateCommand(ipamPluginOf(targets), 'DEL'),
  'delete route': ({ route }, { ipHelper }) => ipHelper.deleteRoute(route),
  'restore route': ({ route }, { ipHelper }, others) => restoreRoute(route, others, ipHelper),
  'remove new remote subnet': async ({ id, policy, mayAppear }, { hcn }) => {
    const existed = await removeNewRemoteSubnet(id, policy, hcn);
    if (!existed && mayAppear) throw mayStillAppear('the remote subnet');
  },
  'restore remote subnet': (step, { hcn }, others) => restoreRemoteSubnet(step, others, hcn),
  'delete attached endpoint': async ({ endpoint: id, namespace, addresses }, { hcn }) => {
    const found = await hcn.findEndpoint(id).catch(unreadOwn(id, hcn));
    const isSame = found === 'unread' || (found !== undefined && isCreatedHere(id, found, addresses, hcn));
    if (!isSame) throw isOfAnother(id);
    await deleteEndpoint(id, namespace, hcn);
  },
  'delete unattached endpoint': async ({ id, name, mayAppear }, { hcn }) => {
    const endpoint = await findEndpointByKey({ id, name }, hcn).catch(unreadOwn(id, hcn));
    // HNS may show a new endpoint late. After a restart it returns another code, and the endpoint counts as gone.
    if (endpoint === undefined && (mayAppear || hcn.isCreatedEndpoint(id)))
      throw mayStillAppear(`endpoint ${id}`);
    if (endpoint === undefined) return;
    if (endpoint !== 'unread' && isAttached(endpoint)) throw isOfAnother(endpoint.ID);
    const existed = await hcn.deleteEndpoint(endpoint === 'unread' ? id : endpoint.ID);
    if (!existed && endpoint === 'unread') throw mayStillAppear(`endpoint ${id}`);
  },
  'restore load balancer': async ({ id, document }, { hcn }) => {
    if ((await hcn.findLoadBalancer(id)) === undefined) await hcn.createLoadBalancer(id, document);
  },
  'delete new namespace': async ({ id }, { hcn }) => {
    const namespace = await hcn.findNamespace(id);
    if (namespace?.Resources?.length === 0) await hcn.deleteNamespace(namespace.ID ?? id);
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

/** Throws the error of a look-up, unless this process created the endpoint and only its document cannot be read: the id is enough then. */
function unreadOwn(id: EndpointId, hcn: HcnClient): (error: unknown) => 'unread' {
  return (error) => {
    if (error instanceof HcnInvalidResponse && hcn.isCreatedEndpoint(id)) return 'unread';
    throw error;
  };
}

function isOfAnother(id: EndpointId): Error {
  return new Error(`endpoint ${id} is gone or may belong to another request`);
}

function mayStillAppear(object: string): Error {
  return new Error(`${object} may still appear`);
}
