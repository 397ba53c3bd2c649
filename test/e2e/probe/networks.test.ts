import { describe, expect, test } from 'vitest';
import { startNode } from '../node.ts';
import { answering, everything, noId, probeRow, refusal, returning, runProbe } from './run-probe.ts';

const types = ['NAT', 'L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent'];

describe.each([
  'callerIdsInternal',
  'callerIdsLoadBalancer',
  ...types.flatMap((type) => [`callerIds${type}`, `callerIds${type}Endpoint`]),
])('%s', (row) => {
  test.each(['honored', 'ignored'] as const)('observes that HNS %s the requested ID', async (callerIds) => {
    expect(await probeRow(row, { switches: { callerIds } })).toMatchObject({ observed: callerIds });
  });
});

// The probe reads the node's own namespace twice before.
describe('callerIdsNamespace observes', () => {
  test.each([
    ['honored', []],
    ['ignored', [answering('HcnQueryNamespaceProperties', { ID: noId }, 2)]],
    ['ERROR_NOT_FOUND', [refusal('HcnOpenNamespace', 'ERROR_NOT_FOUND', 2)]],
  ])('%s', async (observed, faults) => {
    expect(await probeRow('callerIdsNamespace', {}, faults)).toMatchObject({ observed });
  });
});

describe.each(['simultaneousNetwork', 'simultaneousBridge'])('%s observes', (row) => {
  test.each([
    ['HCN_E_NETWORK_ALREADY_EXISTS', {}],
    ['E_FAIL', { concurrentNetworks: 'some refused' }],
  ] as const)('%s', async (observed, switches) => {
    expect(await probeRow(row, { switches })).toMatchObject({ observed });
  });
});

describe.each([
  ['hostRouteWithoutSettings', { switches: { policyWithoutSettings: 'refused' } }],
  ['bareHostRouteAtCreation', { switches: { policyWithoutSettings: 'refused' } }],
  ['networkAclAtCreation', { profile: 'ws2022' }],
  ['setPolicyAtCreation', { profile: 'ws2019' }],
] as const)('%s observes', (row, refusing) => {
  test('accepted', async () => {
    expect(await probeRow(row)).toMatchObject({ observed: 'accepted' });
  });

  test('refused', async () => {
    expect(await probeRow(row, refusing)).toMatchObject({ observed: 'refused' });
  });

  test('ignored, if the network does not show the policy', async () => {
    const faults = [returning('HcnQueryNetworkProperties', {}, 'every')];
    expect(await probeRow(row, {}, faults)).toMatchObject({ observed: 'ignored' });
  });
});

describe('remoteSubnetRouteAtCreation observes', () => {
  test.each([
    ['accepted', []],
    ['refused', [refusal('HcnCreateNetwork', 'HCN_E_INVALID_POLICY', 2)]],
  ])('%s', async (observed, faults) => {
    expect(await probeRow('remoteSubnetRouteAtCreation', {}, faults)).toMatchObject({ observed });
  });
});

describe.each(['managementIpL2Bridge', 'managementIpL2Tunnel', 'providerAddress', 'drMacAddress'])(
  '%s observes',
  (row) => {
    test.each([
      ['at once', {}, []],
      // The second query is the first that looks for it.
      ['within 20 s', {}, [returning('HcnQueryNetworkProperties', {}, 2)]],
      ['never', { providerAddressDelayMs: 600_000 }, []],
    ] as const)('%s', async (observed, options, faults) => {
      expect(await probeRow(row, options, faults)).toMatchObject({ observed });
    });
  },
);

test('providerAddress does not count a link-local address', async () => {
  const adapters = [{ name: 'Ethernet', managementIp: '169.254.1.1' }];
  expect(await probeRow('providerAddress', { adapters })).toMatchObject({ observed: 'never' });
});

describe('adapterIndex observes', () => {
  test.each([
    ['kept', 7],
    ['index 0', 0],
  ])('%s', async (observed, index) => {
    const adapters = [{ name: 'Ethernet', managementIp: '10.0.0.4', index }];
    expect(await probeRow('adapterIndex', { adapters })).toMatchObject({ observed });
  });
});

test('virtualAdapterMac observes that the MAC addresses are equal', async () => {
  expect(await probeRow('virtualAdapterMac')).toMatchObject({ observed: 'equal' });
});

test('secondNat tries a second NAT network if another program has created the first', async () => {
  const node = await startNode({ profile: 'ws2019' });
  try {
    await node.hcn.createNetwork(noId, {
      Name: 'nat',
      Type: 'NAT',
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    const { stdout } = await runProbe(node, [...everything, '--row', 'secondNat', '-o', 'json']);
    expect(JSON.parse(stdout).rows).toMatchObject([{ observed: 'refused' }]);
  } finally {
    await node.stop();
  }
});

describe('is not tried:', () => {
  const refused = 'HCN returned E_FAIL (0x80004005): Unspecified error';
  const invalid = 'HCN returned E_INVALIDARG';
  const everyCreation = [refusal('HcnCreateNetwork', 'E_FAIL', 'every')];
  const noAddress = { providerAddressDelayMs: 600_000 };
  const chosenId = { switches: { callerIds: 'ignored' } } as const;
  const bothAccepted = { switches: { callerIds: 'ignored', duplicateNetworkName: 'accepted' } } as const;
  test.each([
    ['callerIdsInternal', {}, everyCreation, `creating a network: ${refused}`],
    ['callerIdsOverlay', {}, everyCreation, `creating the experiment's Overlay network: ${refused}`],
    ['idConflict', chosenId, [], 'HNS chose a third ID'],
    ['simultaneousNetwork', bothAccepted, [], 'HNS chose another ID'],
    ['simultaneousNetwork', {}, everyCreation, 'both were refused: E_FAIL'],
    ['hostRoute', {}, everyCreation, `creating the experiment's Overlay network: ${refused}`],
    ['bridgeWithoutSubnet', {}, everyCreation, `creating the experiment's L2Bridge network: ${refused}`],
    ['unreleasedAdapter', {}, [], 'HNS released the adapter at once'],
    [
      'adapterRelease',
      {},
      [refusal('HcnCreateNetwork', 'E_INVALIDARG', 2)],
      `creating a network: ${invalid}`,
    ],
    ['providerInterface', noAddress, [], 'the network has no ProviderAddress'],
  ] as const)('%s', async (row, options, faults, reason) => {
    const finding = await probeRow(row, options, faults);
    expect(finding).toMatchObject({ verdict: 'not tried', reason: expect.stringContaining(reason) });
  });
});

test('an experiment that waits ends with Ctrl+C', async () => {
  const node = await startNode({ providerAddressDelayMs: 600_000 });
  const controller = new AbortController();
  const timer: typeof node.outside.timer = (milliseconds, call) => {
    if (milliseconds < 1000) controller.abort();
    return node.outside.timer?.(milliseconds, call) ?? { cancel: () => undefined };
  };
  try {
    const { stdout } = await runProbe(node, [...everything, '--row', 'providerAddress', '-o', 'json'], {
      signal: controller.signal,
      system: { ...node.outside, timer },
    });
    expect(JSON.parse(stdout).rows).toMatchObject([{ verdict: 'not tried', reason: 'interrupted' }]);
    expect(node.hns.dump().networks).toEqual([]);
  } finally {
    await node.stop();
  }
});
