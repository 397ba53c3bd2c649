import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import { HcnError, HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import { sourceVipId } from '../../../src/model/identity.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import { runRollbackStep } from '../../../src/steps/rollback.ts';
import type { RollbackStep, Step, StepKind } from '../../../src/steps/step.ts';
import { inverseOf, ipamPluginOf, kindOf, runStep, titleOf } from '../../../src/steps/table.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const network = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
const SchemaVersion = { Major: 2, Minor: 0 };
const networkDocument = { Name: 'cbr0', Type: 'L2Bridge', SchemaVersion };
const endpointDocument = { Name: 'pod', HostComputeNetwork: network, SchemaVersion };
const vips = (...FrontendVIPs: readonly string[]) => ({
  HostComputeEndpoints: [],
  FrontendVIPs,
  PortMappings: [],
  SchemaVersion,
});
const policy = {
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
  },
};
const policies = [{ Type: 'ACL' }, { Type: 'PortMapping' }];
const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
const attachment = { endpoint: id, name: 'pod', namespace };
const addresses = ['10.244.1.5', '00-15-5D-0A-0B-0C'];
const ofNetwork = { id: network, name: 'cbr0' };

/** Targets that record the calls which change something, with their arguments. What they read is empty unless given. */
function recordingTargets(found: Readonly<Record<string, unknown>> = {}) {
  const calls: unknown[] = [];
  let isRunning = false;
  const functions = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...given: readonly unknown[]) => {
          expect.soft(isRunning, `${name} begins before the end of another call`).toBe(false);
          isRunning = true;
          await aTurn();
          isRunning = false;
          if (!/^(find|read|open)/.test(name)) calls.push([name, ...given]);
          if (found[name] instanceof Error) throw found[name];
          return found[name] ?? (/s$|OfNetwork$|ByName$/.test(name) ? [] : undefined);
        },
      ]),
    );
  const plugin: IpamPlugin = {
    type: 'host-local',
    path: 'host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_path, { CNI_COMMAND: command }) => {
      await aTurn();
      calls.push(['host-local', command]);
      return { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"address":"10.244.1.5/24"}]}' };
    },
  };
  const targets = {
    hcn: {
      isCreatedEndpoint: () => found['isCreatedEndpoint'],
      ...functions([
        'createNetwork',
        'addNetworkPolicies',
        'removeNetworkPolicies',
        'deleteNetwork',
        'createEndpoint',
        'addPolicies',
        'deleteEndpoint',
        'createNamespace',
        'deleteNamespace',
        'addEndpoint',
        'removeEndpoint',
        'createLoadBalancer',
        'deleteLoadBalancer',
        'findNetworkById',
        'findEndpoint',
        'findEndpointsByName',
        'findEndpointsOfNetwork',
        'findNamespace',
        'findLoadBalancer',
        'findLoadBalancers',
        'openNamespace',
      ]),
      version: async () => found['version'],
    },
    ipHelper: functions(['readRoutes', 'createRoute', 'deleteRoute']),
    locateIpam: () => plugin,
    now: () => 0,
  } as unknown as StepTargets;
  return { targets, calls };
}

interface Row {
  readonly step: Step;
  readonly kind: StepKind;
  readonly title: string;
  /** After success; with `mayAppear` true after an unknown outcome, if the inverse has it. */
  readonly inverse?: RollbackStep;
}

const rows: readonly Row[] = [
  {
    step: { do: 'create network', id: network, document: networkDocument },
    kind: 'network',
    title: `create L2Bridge network "cbr0" (${network})`,
  },
  {
    step: { do: 'add network policies', ...ofNetwork, policies },
    kind: 'policy',
    title: 'add ACL, PortMapping to network "cbr0"',
  },
  {
    step: { do: 'add remote subnet', ...ofNetwork, policy },
    kind: 'policy',
    title: 'add remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) to network "cbr0"',
    inverse: { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear: false },
  },
  {
    step: { do: 'remove remote subnet', ...ofNetwork, policy },
    kind: 'policy',
    title: 'remove remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) from network "cbr0"',
    inverse: { do: 'restore remote subnet', ...ofNetwork, policy },
  },
  {
    step: { do: 'delete unused network', ...ofNetwork, hostEndpoints: [] },
    kind: 'network',
    title: `delete network "cbr0" (${network})`,
  },
  {
    step: { do: 'delete unused network', ...ofNetwork, hostEndpoints: [id, namespace] },
    kind: 'network',
    title: `delete network "cbr0" (${network}) and its host endpoint (${id}, ${namespace})`,
  },
  {
    step: { do: 'delete unused network', ...ofNetwork, hostEndpoints: [sourceVipId('cbr0')] },
    kind: 'network',
    title: `delete network "cbr0" (${network}) and its source VIP (${sourceVipId('cbr0')})`,
  },
  {
    step: { do: 'create endpoint', id, document: endpointDocument, network },
    kind: 'endpoint',
    title: `create endpoint "pod" (${id})`,
    inverse: { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false },
  },
  {
    step: { do: 'create host endpoint', id, document: endpointDocument, network },
    kind: 'endpoint',
    title: `create host endpoint "pod" (${id})`,
  },
  {
    step: { do: 'add endpoint policies', id, name: 'pod', policies },
    kind: 'policy',
    title: 'add ACL, PortMapping to endpoint "pod"',
  },
  {
    step: { do: 'attach endpoint', ...attachment, addresses },
    kind: 'endpoint',
    title: `attach endpoint "pod" to namespace ${namespace}`,
    inverse: { do: 'delete attached endpoint', ...attachment, addresses },
  },
  {
    step: { do: 'attach host endpoint', ...attachment },
    kind: 'endpoint',
    title: `attach host endpoint "pod" to the host namespace ${namespace}`,
  },
  {
    step: { do: 'detach endpoint', ...attachment },
    kind: 'endpoint',
    title: `detach endpoint "pod" (${id}) from namespace ${namespace}`,
  },
  {
    step: { do: 'delete endpoint', id, name: 'pod', namespace: undefined },
    kind: 'endpoint',
    title: `delete endpoint "pod" (${id})`,
  },
  {
    step: { do: 'delete leftover endpoint', id, name: 'pod' },
    kind: 'endpoint',
    title: `delete leftover endpoint "pod" (${id})`,
  },
  {
    step: { do: 'create load balancer', id, document: vips('10.96.0.10', '10.96.0.11') },
    kind: 'load balancer',
    title: `create load balancer ${id} for 10.96.0.10, 10.96.0.11`,
    inverse: { do: 'delete new load balancer', id, mayAppear: false },
  },
  {
    step: { do: 'delete load balancer', id, previous: vips() },
    kind: 'load balancer',
    title: `delete load balancer ${id} for the addresses of the node`,
    inverse: { do: 'restore load balancer', id, document: vips() },
  },
  {
    step: { do: 'create namespace', id: namespace, document: { Type: 'Host', SchemaVersion } },
    kind: 'namespace',
    title: `create namespace ${namespace}`,
    inverse: { do: 'delete new namespace', id: namespace },
  },
  {
    step: { do: 'delete namespace', id: namespace },
    kind: 'namespace',
    title: `delete namespace ${namespace}`,
  },
  {
    step: { do: 'assign addresses', plugin: 'host-local' },
    kind: 'addresses',
    title: 'assign addresses with IPAM plugin host-local',
    inverse: { do: 'release addresses', plugin: 'host-local' },
  },
  {
    step: { do: 'release addresses', plugin: 'host-local' },
    kind: 'addresses',
    title: 'release addresses with IPAM plugin host-local',
  },
  {
    step: { do: 'release unused addresses', plugin: 'host-local' },
    kind: 'addresses',
    title: 'release the addresses of invalid attachments with IPAM plugin host-local',
  },
  {
    step: { do: 'create route', route },
    kind: 'route',
    title: 'create the route to 10.244.2.0/24 through 10.0.0.5 on interface 7',
    inverse: { do: 'delete route', route },
  },
  {
    step: { do: 'delete route', route },
    kind: 'route',
    title: 'delete the route to 10.244.2.0/24 through 10.0.0.5 on interface 7',
    inverse: { do: 'restore route', route },
  },
];

describe.each(rows)('the step to $title', ({ step, kind, title, inverse }) => {
  test('has this title, its kind and its inverse', () => {
    expect([titleOf(step), kindOf(step)]).toEqual([title, kind]);
    expect(inverseOf(step, 'done')).toEqual(inverse);
    const unknown =
      inverse !== undefined && 'mayAppear' in inverse ? { ...inverse, mayAppear: true } : inverse;
    expect(inverseOf(step, 'unknown')).toEqual(unknown);
  });
});

test('the step to enable forwarding names the network and the address', () => {
  const step = {
    do: 'enable forwarding',
    network: { ...networkDocument, ID: network },
    address: '10.244.1.2',
  } as const;
  expect([titleOf(step), kindOf(step), inverseOf(step, 'done')]).toEqual([
    'enable forwarding on the adapter of network "cbr0" and on host endpoint 10.244.1.2, and delete its default routes',
    'route',
    undefined,
  ]);
});

test('a step of an IPAM plugin is an internal error without one', () => {
  const targets = { ...recordingTargets().targets, locateIpam: () => undefined };
  expect(() => ipamPluginOf(targets)).toThrow(new Error('the configuration has no IPAM plugin'));
});

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
  ['releases addresses', { do: 'release addresses', plugin: 'x' }, {}, [['host-local', 'DEL']]],
  ['deletes a created route', { do: 'delete route', route }, {}, [['deleteRoute', route]]],
  ['creates a deleted route', { do: 'restore route', route }, {}, [['createRoute', route]]],
  ['keeps a route that exists again', { do: 'restore route', route }, { readRoutes: [route] }, []],
  [
    'deletes a created endpoint that is unattached',
    { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: true },
    { findEndpoint: endpoint },
    [['deleteEndpoint', id]],
  ],
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
    'deletes a created load balancer',
    { do: 'delete new load balancer', id, mayAppear: true },
    { deleteLoadBalancer: true },
    [['deleteLoadBalancer', id]],
  ],
  [
    'creates a deleted load balancer',
    { do: 'restore load balancer', id, document: vips('10.96.0.9') },
    {},
    [['createLoadBalancer', id, vips('10.96.0.9')]],
  ],
  [
    'keeps a load balancer that exists again',
    { do: 'restore load balancer', id, document: vips('10.96.0.9') },
    { findLoadBalancer: { ID: id, ...vips('10.96.0.9') } },
    [],
  ],
  [
    'deletes a created namespace',
    { do: 'delete new namespace', id: namespace },
    { findNamespace: { ID: namespace, Resources: [], SchemaVersion } },
    [['deleteNamespace', namespace]],
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
    'adds a removed remote subnet',
    { do: 'restore remote subnet', ...ofNetwork, policy },
    { findNetworkById: { ...networkDocument, ID: network, Policies: [] } },
    [['addNetworkPolicies', network, [policy]]],
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

describe('a remote subnet that is to be removed', () => {
  const returned = { ...policy, Type: 'REMOTESUBNETROUTE' };
  const another = { ...policy, Settings: { ...policy.Settings, DestinationPrefix: '10.244.3.0/24' } };
  const refused = new HcnError('removing', 0x803b0008, '');
  const broken = new TypeError('broken');

  test.each<readonly [string, Error | undefined, readonly object[], boolean | Error]>([
    ['is removed', undefined, [], true],
    ['is gone although HNS refuses', refused, [another], false],
    ['stays if HNS refuses and still has it', refused, [another, returned], refused],
    ['stays if the call fails internally', broken, [], broken],
  ])('%s', async (_, failure, Policies, expected) => {
    const found = { removeNetworkPolicies: failure, findNetworkById: { ID: network, Policies } };
    const step = { do: 'remove remote subnet', ...ofNetwork, policy } as const;
    const removing = runStep(step, recordingTargets(found).targets);
    expect(await removing.catch((error: unknown) => error)).toBe(expected);
  });
});

describe('a creation with an unknown outcome whose object is absent', () => {
  const mayAppear = true;

  test.each<readonly [RollbackStep, string]>([
    [
      { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear },
      'the remote subnet may still appear',
    ],
    [{ do: 'delete unattached endpoint', id, name: 'pod', mayAppear }, `endpoint ${id} may still appear`],
    [{ do: 'delete new load balancer', id, mayAppear }, `load balancer ${id} may still appear`],
  ])('makes the rollback fail: %j', async (step, message) => {
    const found = { deleteEndpoint: false, deleteLoadBalancer: false };
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
