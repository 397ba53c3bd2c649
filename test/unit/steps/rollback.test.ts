import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import { HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import { runRollbackStep } from '../../../src/steps/rollback.ts';
import type { RollbackStep, Step } from '../../../src/steps/step.ts';
import {
  addresses,
  attachment,
  endpointDocument,
  id,
  namespace,
  network,
  networkDocument,
  ofNetwork,
  policy,
  recordingTargets,
  route,
  SchemaVersion,
  vips,
} from './recording-targets.ts';

const endpoint = { ID: id, ...endpointDocument };
const [IpAddress = '', MacAddress = ''] = addresses;
const attached = {
  ...endpoint,
  IpConfigurations: [{ IpAddress }],
  MacAddress,
  HostComputeNamespace: namespace,
};

/** Each step of a rollback: what is found, and the calls that follow. */
test.each<readonly [string, RollbackStep, Readonly<Record<string, unknown>>, readonly unknown[]]>([
  ['deletes a created route', { do: 'delete route', route }, {}, [['deleteRoute', route]]],
  ['keeps a route that exists again', { do: 'restore route', route }, { readRoutes: [route] }, []],
  [
    'deletes an attached endpoint that HNS has given a further address',
    { do: 'delete attached endpoint', ...attachment, addresses: ['10.244.1.5'] },
    { findEndpoint: attached, isCreatedEndpoint: true },
    [['deleteEndpoint', id]],
  ],
  [
    'detaches and deletes an attached endpoint',
    { do: 'delete attached endpoint', ...attachment, addresses },
    { findEndpoint: attached, isCreatedEndpoint: true, openNamespace: true, removeEndpoint: true },
    [
      ['removeEndpoint', namespace, id],
      ['deleteEndpoint', id],
    ],
  ],
  [
    'accepts an absent endpoint',
    { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false },
    {},
    [],
  ],
  [
    'keeps a load balancer that exists again',
    { do: 'restore load balancer', id, document: vips('10.96.0.9') },
    { findLoadBalancer: { ID: id, ...vips('10.96.0.9') } },
    [],
  ],
  [
    'deletes a created namespace by the id that HNS chose',
    { do: 'delete new namespace', id: namespace },
    { findNamespace: { ID: id, Resources: [], SchemaVersion } },
    [['deleteNamespace', id]],
  ],
  [
    'keeps a namespace with resources',
    { do: 'delete new namespace', id: namespace },
    { findNamespace: { ID: namespace, Resources: [{ Type: 'Container', Data: {} }], SchemaVersion } },
    [],
  ],
  ['accepts an absent namespace', { do: 'delete new namespace', id: namespace }, {}, []],
  [
    'removes an added remote subnet',
    { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear: true },
    { findNetworkById: { ...networkDocument, ID: network, Policies: [policy] } },
    [['removeNetworkPolicies', network, [policy]]],
  ],
  [
    'keeps an added remote subnet that another request added too',
    { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear: true },
    { findNetworkById: { ...networkDocument, ID: network, Policies: [policy, policy] } },
    [],
  ],
  [
    'keeps a remote subnet that exists again',
    { do: 'restore remote subnet', ...ofNetwork, policy },
    { findNetworkById: { ...networkDocument, ID: network, Policies: [policy] } },
    [],
  ],
  ['accepts an absent network', { do: 'restore remote subnet', ...ofNetwork, policy }, {}, []],
])('a rollback %s', async (_, step, found, calls) => {
  const recorded = recordingTargets({ deleteEndpoint: true, ...found });
  await runRollbackStep(step, recorded.targets);
  expect(recorded.calls).toEqual(calls);
});

describe('a creation with an unknown outcome whose object is absent', () => {
  const mayAppear = true;

  test.each<readonly [RollbackStep, string]>([
    [
      { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear },
      'the remote subnet may still appear',
    ],
    [{ do: 'delete unattached endpoint', id, name: 'pod', mayAppear }, `endpoint ${id} may still appear`],
  ])('makes the rollback fail: %j', async (step, message) => {
    const found = { deleteEndpoint: false };
    await expect(runRollbackStep(step, recordingTargets(found).targets)).rejects.toThrow(new Error(message));
    await runRollbackStep({ ...step, mayAppear: false } as RollbackStep, recordingTargets(found).targets);
  });
});

test('a created endpoint that HNS does not show makes the rollback fail, so that its addresses stay: HNS may show it late', async () => {
  const step = { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false } as const;
  const { targets, calls } = recordingTargets({ isCreatedEndpoint: true });
  await expect(runRollbackStep(step, targets)).rejects.toThrow(new Error(`endpoint ${id} may still appear`));
  expect(calls).toEqual([]);
});

test('a created endpoint whose document cannot be read is deleted', async () => {
  const step = { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false } as const;
  const unreadable = { findEndpoint: new HcnInvalidResponse('no JSON'), isCreatedEndpoint: true };
  await runRollbackStep(step, recordingTargets({ ...unreadable, deleteEndpoint: true }).targets);
  await expect(
    runRollbackStep(step, recordingTargets({ ...unreadable, deleteEndpoint: false }).targets),
  ).rejects.toThrow(new Error(`endpoint ${id} may still appear`));
});

describe('an endpoint that may belong to another request makes the rollback fail, and stays:', () => {
  const attachedStep = { do: 'delete attached endpoint', ...attachment, addresses } as const;
  const unattachedStep = { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false } as const;

  test.each<readonly [string, RollbackStep, Readonly<Record<string, unknown>>]>([
    ['one in a namespace that this request did not attach', unattachedStep, { findEndpoint: attached }],
    ['one whose handle is no longer valid', attachedStep, { findEndpoint: attached }],
    [
      'one with another MAC address',
      attachedStep,
      { findEndpoint: { ...attached, MacAddress: '00-15-5D-0A-0B-0D' }, isCreatedEndpoint: true },
    ],
    [
      'one with another IP address',
      attachedStep,
      {
        findEndpoint: { ...attached, IpConfigurations: [{ IpAddress: '10.244.1.6' }] },
        isCreatedEndpoint: true,
      },
    ],
    ['one that a DEL has deleted', attachedStep, { isCreatedEndpoint: true }],
    [
      'one that a DEL has deleted, without addresses',
      { ...attachedStep, addresses: [] },
      { isCreatedEndpoint: true },
    ],
  ])('%s', async (_, step, found) => {
    const recorded = recordingTargets({ deleteEndpoint: true, ...found });
    await expect(runRollbackStep(step, recorded.targets)).rejects.toThrow(
      new Error(`endpoint ${id} is gone or may belong to another request`),
    );
    expect(recorded.calls).toEqual([]);
  });
});

describe('a rollback', () => {
  const failing = async (targets: StepTargets, ...steps: readonly Step[]): Promise<unknown> => {
    const changes = executeSteps(targets);
    const work = async (): Promise<never> => {
      for (const step of steps) await changes.apply(step);
      throw new CniError(code.hcnFailure, 'a later step failed');
    };
    return changes.transaction(work).catch((error: unknown) => error);
  };
  const assign: Step = { do: 'assign addresses', plugin: 'host-local' };
  const create: Step = { do: 'create endpoint', id, document: endpointDocument, network };

  test('does not release the addresses of an endpoint that it could not delete', async () => {
    const recorded = recordingTargets({ findEndpoint: endpoint });
    const deleteEndpoint = () => Promise.reject(new Error('refused'));
    const targets = { ...recorded.targets, hcn: { ...recorded.targets.hcn, deleteEndpoint } };
    await expect(failing(targets, assign, create)).resolves.toMatchObject({
      message: 'a later step failed',
      details: 'rollback of the endpoint failed: refused; the addresses stay assigned until the next DEL',
    });
    expect(recorded.calls).toHaveLength(2);
  });

  test.each([
    [true, [['deleteEndpoint', id]]],
    [
      false,
      [
        ['deleteEndpoint', id],
        ['host-local', 'DEL'],
      ],
    ],
  ])('skips a step that is lost right before its inverse: %s', async (isLost, inverses) => {
    const recorded = recordingTargets({ findEndpoint: endpoint });
    const changes = executeSteps(recorded.targets);
    const work = async (): Promise<never> => {
      await changes.apply(assign);
      changes.keep(assign, () => isLost && recorded.calls.length === 3);
      await changes.apply(create);
      throw new Error('a later step failed');
    };
    await expect(changes.transaction(work)).rejects.toThrow('a later step failed');
    expect(recorded.calls.slice(2)).toEqual(inverses);
  });

  test('is reported at its start and its end, unless there is nothing to undo', async () => {
    const events: string[] = [];
    const recorded = recordingTargets({ findEndpoint: endpoint });
    const onRollback = () => {
      events.push(`start after ${recorded.calls.length} calls`);
      return () => events.push(`end after ${recorded.calls.length} calls`);
    };
    await failing({ ...recorded.targets, onRollback });
    expect(events).toEqual([]);
    await failing({ ...recorded.targets, onRollback }, create);
    expect(events).toEqual(['start after 1 calls', 'end after 2 calls']);
  });
});
