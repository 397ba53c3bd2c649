import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointId, networkId } from '../../src/model/identity.ts';
import type { Switches } from '../simulator/profiles.ts';
import { example } from './example.ts';
import { type Call, type Node, startNode } from './node.ts';

let node: Node;
afterEach(() => node.stop());

async function start(switches: Partial<Switches> = {}): Promise<Node> {
  node = await startNode({ profile: 'hns15.5', switches });
  return node;
}

const ipam = { type: 'test-ipam' };
const l2bridge = example('l2bridge', { cniVersion: '1.1.0' });
const withIpam = { ...l2bridge, ipam };
const endpoints = () => node.hns.dump().endpoints;
const names = () => endpoints().map(({ Name }) => Name);
const calls = (name: string) => node.hns.calls.filter((call) => call.function === name);
const gc = (...valid: readonly string[]) => {
  const attachments = valid.map((containerID) => ({ containerID, ifname: 'eth0' }));
  const config = { ...withIpam, 'cni.dev/valid-attachments': attachments };
  return node.gc(config, { containerId: '', netns: '' });
};

/** Runs ADD, CHECK and DEL. Returns their codes, the endpoints' namespaces after CHECK, and the endpoints after DEL. */
async function live({ config, pod }: Call) {
  const added = await node.add(config, pod);
  const again = await node.add(config, pod);
  const checked = await node.check({ ...config, prevResult: added.json }, pod);
  const attachedTo = endpoints().map(({ HostComputeNamespace }) => HostComputeNamespace);
  const deleted = await node.del(config, pod);
  const left = names().filter((name) => !String(name).endsWith('_ep'));
  return { codes: [added, again, checked, deleted].map(({ json }) => json?.code ?? 0), attachedTo, left };
}

describe('on an HNS that chooses ids itself', () => {
  beforeEach(() => start({ callerIds: 'ignored' }));

  test.each([
    ['with an IPAM plugin', withIpam],
    ['whose address HNS assigns', l2bridge],
  ])('a pod %s gets one endpoint, which CHECK and DEL find by name', async (_, config) => {
    const pod = node.newPod('c0ffee');
    expect(await live({ config, pod })).toEqual({
      codes: [0, 101, 0, 0],
      attachedTo: [pod.netns],
      left: [],
    });
    expect(node.ipam.leases.size).toBe(0);
  });

  test('the next ADD replaces the endpoint of an interrupted ADD', async () => {
    const pod = node.newPod('c0ffee');
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { drop: 'before' } });
    for (const ordinal of [1, 2])
      node.hns.inject({ function: 'HcnDeleteEndpoint', ordinal, effect: { drop: 'before' } });
    expect(await node.add(l2bridge, pod)).toMatchObject({ json: { code: 11 } });
    expect(names()).toEqual(['c0ffee_l2bridge_eth0']);
    expect(await node.add(l2bridge, pod)).toMatchObject({ exitCode: 0 });
    expect(endpoints()).toMatchObject([{ HostComputeNamespace: pod.netns }]);
  });

  test('GC deletes the endpoints of no valid attachment, and no others', async () => {
    for (const id of ['a', 'b']) await node.add(withIpam, node.newPod(id));
    expect(await gc('a')).toMatchObject({ exitCode: 0 });
    expect(names()).toEqual(['a_l2bridge_eth0']);
    expect([...node.ipam.leases.keys()]).toEqual(['a eth0']);
  });

  test('ADDs share one host endpoint, which stays with the network after a failed ADD', async () => {
    const config = example('l2bridge-host-endpoint', { cniVersion: '1.1.0', ipam });
    node.ipam.prefix = '10.244.2.';
    node.hns.inject({ function: 'HcnCreateEndpoint', ordinal: 2, effect: { hresult: 0x803b000d } });
    expect(await node.add(config)).toMatchObject({ json: { code: 100 } });
    expect(names()).toEqual(['cbr0_ep']);
    for (const id of ['a', 'b'])
      expect(await node.add(config, node.newPod(id))).toMatchObject({ exitCode: 0 });
    expect(names()).toEqual(['cbr0_ep', 'a_cbr0_eth0', 'b_cbr0_eth0']);
  });

  test('ADD refuses a name that two attachments could have', async () => {
    const pod = node.newPod('a_l2bridge_b');
    expect(await node.add(withIpam, pod)).toMatchObject({
      json: { code: 7, msg: expect.stringContaining('"a_l2bridge_b_l2bridge_eth0"') },
    });
    expect(names()).toEqual([]);
    expect(node.ipam.leases.size).toBe(0);
  });
});

describe.each(['refused', 'hangs'] as const)('on an HNS with attachedEndpointDeletion: %s', (deletion) => {
  test.each([
    ['with CNI_NETNS', true],
    ['without CNI_NETNS', false],
  ])('DEL %s detaches it first', async (_, isNamed) => {
    await start({ attachedEndpointDeletion: deletion });
    const pod = node.newPod();
    await node.add(withIpam, pod);
    const named = isNamed ? pod : { ...pod, netns: '' };
    expect(await node.del(withIpam, named)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(names()).toEqual([]);
    expect(node.ipam.leases.size).toBe(0);
  });

  test('GC detaches it first, and so does an ADD that fails after attaching it', async () => {
    await start({ attachedEndpointDeletion: deletion });
    await node.add(withIpam);
    expect(await gc()).toMatchObject({ exitCode: 0 });
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { drop: 'after' } });
    const answer = await node.add(withIpam);
    expect(answer).toMatchObject({ json: { code: 11 } });
    expect(names()).toEqual([]);
    expect(node.ipam.leases.size).toBe(0);
  });
});

describe('the creation of a network', () => {
  const deleteNetwork = () => node.hcn.deleteNetwork(networkId('l2bridge'));

  test.each([0x803b0006, 0x80070490])(
    'is retried once when the adapter of a deleted network is still bound (0x%x)',
    async (unreleasedAdapter) => {
      await start({ adapterRelease: 'after a refusal', unreleasedAdapter });
      const pod = node.newPod();
      await node.add(withIpam, pod);
      await node.del(withIpam, pod);
      await deleteNetwork();
      node.hns.clearCalls();
      expect(await node.add(withIpam, pod)).toMatchObject({ exitCode: 0 });
      expect(calls('HcnCreateNetwork').map(({ hresult }) => hresult)).toEqual([unreleasedAdapter, 0]);
    },
  );

  test("waits for another request's network that exists and is not listed yet", async () => {
    await start({ networkListing: 'late' });
    const answers = await Promise.all(['a', 'b'].map((id) => node.add(withIpam, node.newPod(id))));
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(node.hns.dump().networks).toHaveLength(1);
  });

  test('waits for the interface that has the provider address of an Overlay network', async () => {
    await start({ providerInterface: 'late' });
    const config = example('overlay');
    expect(await node.add(config)).toMatchObject({ exitCode: 0 });
    expect(node.hns.ipHelperCalls.filter((name) => name === 'GetAdaptersAddresses').length).toBeGreaterThan(
      3,
    );
  });
});

describe('HostRoute', () => {
  const hostRoute = {
    ResourceType: 'Policy',
    RequestType: 'Add',
    Settings: { Policies: [{ Type: 'HostRoute', Settings: {} }] },
  };
  const config = example('overlay');

  test('is added after the creation', async () => {
    await start({ hostRouteAtCreation: 'refused', policyWithoutSettings: 'refused' });
    expect(await node.add(config)).toMatchObject({ exitCode: 0 });
    expect(calls('HcnModifyNetwork')).toMatchObject([{ hresult: 0, document: hostRoute }]);
  });

  test('does not fail the ADD when HNS refuses it', async () => {
    await start({ hostRoute: 'refused' });
    expect(await node.add(config)).toMatchObject({ exitCode: 0 });
    expect(calls('HcnModifyNetwork')).toMatchObject([{ hresult: 0x803b000e }]);
  });
});

test.each(['refused', 'accepted'] as const)(
  'exceptions of both families become one policy each, when HNS has a mixed list: %s',
  async (mixedExceptions) => {
    await start({ mixedExceptions });
    node.ipam.prefix = '10.244.3.';
    node.ipam.prefix6 = 'fd00:10:244:3::';
    const exceptions = ['10.244.0.0/16', 'fd00:10:244::/48', '10.96.0.0/12'];
    const config = example('dual-stack', { ipam, outboundNat: { exceptions } });
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(added).toMatchObject({ exitCode: 0 });
    expect(endpoints()[0]?.['Policies']).toEqual([
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['fd00:10:244::/48'] } },
    ]);
    const checked = await node.check({ ...config, prevResult: added.json }, pod);
    expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
  },
);

test.each([
  ['exceptions and destinations', { exceptions: ['10.96.0.0/12'], destinations: ['10.0.0.0/8'] }],
  ['exceptions of both families', { exceptions: ['10.96.0.0/12', 'fd00:10:244::/48'] }],
])('policies that HNS shows merged fail neither ADD nor CHECK: %s', async (_, outboundNat) => {
  await start({ policiesWrittenBack: 'merged' });
  node.ipam.prefix = '10.244.3.';
  node.ipam.prefix6 = 'fd00:10:244:3::';
  const config = example('dual-stack', { ipam, outboundNat, mtu: 1400 });
  expect((await live({ config, pod: node.newPod() })).codes).toEqual([0, 101, 0, 0]);
});

test.each([
  ['when HNS drops them all', 'fails', [], 100],
  ['when HNS drops one', 'succeeds', [{ Type: 'ACL', Settings: { Direction: 'In', Action: 'Allow' } }], 0],
  ['when HNS shows them all', 'succeeds', undefined, 0],
])('an ADD with ACLs %s %s', async (_, __, shown, code) => {
  await start();
  const acls = [{ action: 'Allow', direction: 'In', protocols: ['tcp'], localPorts: [80] }];
  const config = { ...withIpam, acls, defaultAction: 'Block' };
  await node.add(config, node.newPod('first'));
  const pod = node.newPod('second');
  const ID = endpointId({ ...pod, ifname: 'eth0', network: 'l2bridge' });
  if (shown !== undefined) {
    const IpConfigurations = [{ IpAddress: '10.244.1.11', PrefixLength: 24 }];
    const answer = JSON.stringify({
      ...endpoints()[0],
      ID,
      IpConfigurations,
      HostComputeNamespace: undefined,
      Policies: shown,
    });
    node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 'every', effect: { answer } });
  }
  const answer = await node.add(config, pod);
  node.hns.clearFaults();
  expect(answer.json.code ?? 0).toBe(code);
  expect(names()).toHaveLength(code === 0 ? 2 : 1);
});

describe('the host endpoint', () => {
  const config = example('l2bridge-host-endpoint', { ipam });
  const add = () => {
    node.ipam.prefix = '10.244.2.';
    return node.add(config);
  };

  test.each([
    ['that it is in a namespace already', 0x803b002b],
    ['that it is attached already', 0x803b0014],
  ])('counts as attached when HNS reports %s', async (_, hresult) => {
    await start();
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { hold: 'before' } });
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { hresult } });
    const held = node.hns.nextStanding();
    const adding = add();
    await held;
    const [own] = node.hns.dump().namespaces;
    await node.hcn.addEndpoint(String(own?.['ID']), String(endpoints()[0]?.['ID']));
    node.hns.release();
    expect(await adding).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['finds none', { answer: '[]' }],
    ['is refused', { hresult: 0x80070057 }],
  ])('is attached to the namespace of type HostDefault when IsDefault %s', async (_, effect) => {
    await start();
    node.hns.inject({ function: 'HcnEnumerateNamespaces', effect });
    expect(await add()).toMatchObject({ exitCode: 0 });
    expect(calls('HcnEnumerateNamespaces')).toHaveLength(2);
  });
});
