import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import { HcnError, HcnTimeout } from '../../../src/hcn/errors.ts';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import { IpHelperError, IpHelperTimeout } from '../../../src/iphlpapi/windows-errors.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import type { Step } from '../../../src/steps/step.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const SchemaVersion = { Major: 2, Minor: 0 };
const first = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
const second = newNodeRoute(7, '10.244.3.0/24', '10.0.0.6');
const createFirst: Step = { do: 'create route', route: first };
const createSecond: Step = { do: 'create route', route: second };
const deleteFirst: Step<'delete route'> = { do: 'delete route', route: first };
const assign: Step<'assign addresses'> = { do: 'assign addresses', plugin: 'host-local' };
const createNamespace: Step = {
  do: 'create namespace',
  id: namespace,
  document: { Type: 'Host', SchemaVersion },
};

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

describe('a step', () => {
  test('that changed nothing is neither reported nor rolled back', async () => {
    const { changes, calls, applied, failLater } = executing({ deleteRoute: false });
    await failLater(async () => expect(await changes.apply(deleteFirst)).toBe(false));
    expect({ calls, applied }).toEqual({ calls: ['deleteRoute 10.244.2.0/24'], applied: [] });
  });

  test.each<readonly [string, Error, boolean]>([
    ['HNS does not respond', new HcnTimeout('HcnCreateNamespace', 30), true],
    ['the connection to HNS breaks', new HcnError('creating', 0x800706be, ''), true],
    ['the request has no time left', new HcnTimeout('HcnCreateNamespace', 0), false],
    ['HNS refuses', new HcnError('creating', 0x803b001d, ''), false],
  ])('that fails because %s is rolled back only if it may have taken effect', async (_, error, isUnknown) => {
    const { changes, calls, applied } = executing({ createNamespace: error });
    const work = changes.transaction(() => changes.apply(createNamespace));
    await expect(work).rejects.toThrow(error.message);
    expect(calls).toEqual([
      `createNamespace ${namespace}`,
      ...(isUnknown ? [`deleteNamespace ${namespace}`] : []),
    ]);
    expect(applied).toEqual([]);
  });

  test.each([
    [new IpHelperTimeout('creating a route', 30), ['deleteRoute 10.244.2.0/24']],
    [new IpHelperError('creating a route', 5), []],
  ])('of Windows that fails is rolled back only if it may have taken effect: %s', async (error, inverses) => {
    const { changes, calls } = executing({ createRoute: error });
    await expect(changes.transaction(() => changes.apply(createFirst))).rejects.toBe(error);
    expect(calls).toEqual(['createRoute 10.244.2.0/24', ...inverses]);
  });

  test('of an IPAM plugin that fails is rolled back: the plugin may have assigned addresses', async () => {
    const { changes, calls } = executing({ ipam: new Error('broken') });
    await expect(changes.transaction(() => changes.apply(assign))).rejects.toThrow('broken');
    expect(calls).toEqual(['ipam ADD', 'ipam DEL']);
  });
});

describe('a transaction', () => {
  test('does not roll back a kept step', async () => {
    const { changes, calls, failLater } = executing();
    await failLater(async () => {
      await changes.apply(createFirst);
      await changes.apply(createSecond);
      changes.keep(createFirst);
    });
    expect(calls.slice(2)).toEqual(['deleteRoute 10.244.3.0/24']);
  });

  test('does not roll back the steps before all were kept', async () => {
    const { changes, calls, failLater } = executing();
    await failLater(async () => {
      await changes.apply(createFirst);
      changes.keepAll();
      await changes.apply(createSecond);
    });
    expect(calls.slice(2)).toEqual(['deleteRoute 10.244.3.0/24']);
  });

  test('does not roll back an earlier one, whether that succeeded or failed', async () => {
    const { changes, calls, failLater } = executing();
    await changes.transaction(() => changes.apply(createFirst));
    await failLater(() => changes.apply(createSecond));
    await failLater(async () => undefined);
    expect(calls.slice(2)).toEqual(['deleteRoute 10.244.3.0/24']);
  });

  test('continues the rollback after a failure, and names each failure', async () => {
    const { changes, calls, failLater } = executing({
      deleteRoute: new Error('Windows is busy'),
      deleteNamespace: new Error('HNS is busy'),
    });
    const error = await failLater(async () => {
      await changes.apply(assign);
      await changes.apply(createNamespace);
      await changes.apply(createFirst);
    });
    expect(error).toMatchObject({
      details: 'rollback of the route failed: Windows is busy; rollback of the namespace failed: HNS is busy',
    });
    expect(calls.slice(3)).toEqual(['deleteRoute 10.244.2.0/24', `deleteNamespace ${namespace}`, 'ipam DEL']);
  });

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

test('waiting repeats the search until it finds something, and ignores the result of a preview', async () => {
  const { changes, waits } = executing();
  let asked = 0;
  const find = async () => (++asked > 1 ? 'found' : undefined);
  expect(await changes.waitFor<string>(1000, find, async () => 'previewed')).toBe('found');
  expect(waits).toEqual([250]);
});
