import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import type { Step } from '../../../src/steps/step.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';

const first = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');

const deleteFirst: Step<'delete route'> = { do: 'delete route', route: first };

/** Steps that run on a node which records its calls, and fails or returns as given. */
function executing(results: Readonly<Record<string, unknown>> = {}) {
  const calls: string[] = [];
  const applied: string[] = [];
  const waits: number[] = [];
  const answering =
    (name: string, describe: (given: readonly unknown[]) => string) =>
    async (...given: readonly unknown[]) => {
      await aTurn();
      calls.push(`${name} ${describe(given)}`);
      const result = results[name];
      if (result instanceof Error) throw result;
      return result;
    };
  const prefix = ([route]: readonly unknown[]) => (route as typeof first).prefix;
  const given = ([one]: readonly unknown[]) => String(one);
  const plugin: IpamPlugin = {
    type: 'host-local',
    path: 'host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_, { CNI_COMMAND: command }) => {
      await answering('ipam', () => `${command}`)();
      return { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"address":"10.244.1.5/24"}]}' };
    },
  };
  const targets = {
    hcn: {
      createNamespace: answering('createNamespace', given),
      findNamespace: async () => ({ ID: namespace, Resources: [] }),
      deleteNamespace: answering('deleteNamespace', given),
      deleteEndpoint: answering('deleteEndpoint', given),
    },
    ipHelper: {
      readRoutes: async () => results['readRoutes'] ?? [],
      createRoute: answering('createRoute', prefix),
      deleteRoute: answering('deleteRoute', prefix),
    },
    locateIpam: () => plugin,
    timer: (milliseconds: number, call: () => void) => {
      waits.push(milliseconds);
      queueMicrotask(call);
      return { cancel: () => undefined };
    },
    now: () => 0,
  } as unknown as StepTargets;
  const changes = executeSteps(targets, (step) => applied.push(step.do));
  const failLater = async (work: () => Promise<unknown>) => {
    const failed = changes.transaction(async () => {
      await work();
      throw new CniError(code.hcnFailure, 'a later step failed');
    });
    return failed.catch((error: unknown) => error);
  };
  return { changes, calls, applied, waits, failLater };
}

describe('a transaction', () => {
  test('restores each of two deleted routes to one prefix', async () => {
    const other = { ...first, nextHop: '10.0.0.9' };
    const { changes, calls, failLater } = executing({ deleteRoute: true, readRoutes: [other] });
    await failLater(async () => {
      await changes.apply(deleteFirst);
      await changes.apply({ do: 'delete route', route: other });
    });
    expect(calls.slice(2)).toEqual(['createRoute 10.244.2.0/24']);
  });
});
