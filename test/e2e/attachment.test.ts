import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpointId } from '../../src/model/identity.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

describe.each(['l2bridge', 'overlay'] as const)('a pod on the %s example', (name) => {
  test('gets a network, an endpoint in its namespace, and a CNI result', async () => {
    const pod = node.newPod();
    const added = await node.add(example(name), pod);
    const net = name === 'l2bridge' ? '10.244.1' : '10.245.1';
    expect(added).toMatchObject({ exitCode: 0 });
    expect(added.json).toEqual({
      cniVersion: '1.0.0',
      interfaces: [
        { name: 'eth0', mac: expect.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/), sandbox: pod.netns },
      ],
      ips: [{ interface: 0, address: `${net}.2/24`, gateway: `${net}.1` }],
      routes: [{ dst: '0.0.0.0/0', gw: `${net}.1` }],
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
    });
    const { networks, endpoints } = node.hns.dump();
    expect(networks).toHaveLength(1);
    expect(endpoints).toEqual([expect.objectContaining({ HostComputeNamespace: pod.netns })]);
  });

  test('passes CHECK, and DEL deletes its endpoint but not the network', async () => {
    const pod = node.newPod();
    const { json: prevResult } = await node.add(example(name), pod);
    expect(await node.check(example(name, { prevResult }), pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await node.del(example(name), pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(node.hns.dump()).toMatchObject({ endpoints: [], networks: [{ Name: name }] });
  });
});

describe('the documents sent to HCN', () => {
  test('for the overlay example contain the VSID, and the provider address once HNS reports it', async () => {
    await node.stop();
    node = await startNode({ providerAddressDelayMs: 50 }, () => hastyClock(10));
    const pod = node.newPod();
    await node.add(example('overlay'), pod);
    const document = (name: string) => node.hns.calls.find((call) => call.function === name)?.document;
    expect(document('HcnCreateNetwork')).toMatchObject({
      Type: 'Overlay',
      Ipams: [{ Subnets: [{ Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }] }] }],
    });
    expect(document('HcnCreateEndpoint')).toMatchObject({
      Policies: expect.arrayContaining([
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ]),
    });
    expect(document('HcnModifyNamespace')).toEqual({
      ResourceType: 'Endpoint',
      RequestType: 'Add',
      Settings: { EndpointId: endpointId({ ...pod, ifname: 'eth0', network: 'overlay' }) },
    });
  });
});

describe('ADD', () => {
  test('a second time is refused and changes nothing, with and without an IPAM plugin', async () => {
    for (const changes of [{}, { ipam: { type: 'test-ipam' } }]) {
      const pod = node.newPod();
      const config = example('l2bridge', changes);
      const { json: prevResult } = await node.add(config, pod);
      const before = node.hns.dump().endpoints;
      const leases = new Map(node.ipam.leases);
      expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 101 } });
      expect(node.hns.dump().endpoints).toEqual(before);
      expect(node.ipam.leases).toEqual(leases);
      expect(await node.check({ ...config, prevResult }, pod)).toMatchObject({ exitCode: 0 });
    }
  });

  test('keeps the endpoint that a concurrent request for the same interface created', async () => {
    const pod = node.newPod();
    const config = example('l2bridge');
    await node.add(config);
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { hold: 'before' } });
    const slow = node.add({ ...config, hcnTimeoutSeconds: 120 }, pod);
    await node.hns.nextStanding();
    const quick = await node.add(config, pod);
    node.hns.release();
    expect([(await slow).json.code, quick.exitCode]).toEqual([101, 0]);
    expect(node.hns.dump().endpoints).toMatchObject([{}, { HostComputeNamespace: pod.netns }]);
  });

  test.each([
    ['another interface in the sandbox', 'eth1', undefined],
    ['an interface with this name on the node', 'eth0', ''],
  ])('succeeds after a plugin that created %s', async (_, name, elsewhere) => {
    const pod = node.newPod();
    const prevResult = { interfaces: [{ name, sandbox: elsewhere ?? pod.netns }], ips: [] };
    const added = await node.add(example('l2bridge', { prevResult }), pod);
    expect(added).toMatchObject({ exitCode: 0, json: { interfaces: [{ name }, { name: 'eth0' }] } });
  });

  test('returns the sandbox in the notation of the runtime', async () => {
    const pod = node.newPod();
    const netns = `C:\\sandboxes\\{${pod.netns.toUpperCase()}}`;
    const added = await node.add(example('l2bridge'), { ...pod, netns });
    expect(added.json.interfaces).toMatchObject([{ name: 'eth0', sandbox: netns }]);
    const config = example('l2bridge', { prevResult: added.json });
    expect(await node.check(config, pod)).toMatchObject({ exitCode: 0 });
  });

  test('fails and rolls back if HNS creates the endpoint without an address', async () => {
    await node.add(example('l2bridge'));
    const before = node.hns.dump().endpoints;
    const pod = node.newPod();
    const ID = endpointId({ ...pod, ifname: 'eth0', network: 'l2bridge' });
    const answered = JSON.stringify({ ...before[0], ID, HostComputeNamespace: '', IpConfigurations: [] });
    for (let ordinal = 1; ordinal <= 20; ordinal += 1)
      node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal, effect: { answer: answered } });
    const answer = await node.add(example('l2bridge'), pod);
    expect(answer).toMatchObject({
      json: { code: 11, msg: expect.stringContaining('HNS shows no address') },
    });
    expect(node.hns.dump().endpoints).toEqual(before);
  });

  test.each(['DEL', 'GC'])('never ran itself as its IPAM plugin, so %s releases nothing', async (command) => {
    const config = example('l2bridge', {
      cniVersion: '1.1.0',
      ipam: { type: 'Node' },
      'cni.dev/valid-attachments': [],
    });
    expect(await node.cni(command, { config, pod: node.newPod() })).toMatchObject({ exitCode: 0 });
    expect(node.ipam.runs).toEqual([]);
  });

  test('replaces an endpoint that an interrupted ADD left without a namespace', async () => {
    const pod = node.newPod();
    const config = example('l2bridge');
    await node.add(config, pod);
    const ID = endpointId({ ...pod, ifname: 'eth0', network: 'l2bridge' });
    await node.del(config, pod);
    node.hns.inject({ function: 'HcnModifyNamespace', effect: { hresult: 0x80004005 } });
    node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hresult: 0x80004005 } });
    expect(await node.add(config, pod)).toMatchObject({
      exitCode: 1,
      json: { code: 100, details: expect.stringContaining('rollback of the endpoint failed') },
    });
    expect(node.hns.dump().endpoints).toMatchObject([{ ID }]);
    expect(await node.add(config, pod)).toMatchObject({ exitCode: 0 });
    expect(node.hns.dump().endpoints).toMatchObject([{ ID, HostComputeNamespace: pod.netns }]);
  });

  test('adds two interfaces of one container to a network, and DEL of one keeps the other', async () => {
    const pod = node.newPod();
    const config = example('l2bridge');
    await node.cni('ADD', { config, pod, ifname: 'eth0' });
    expect(await node.cni('ADD', { config, pod, ifname: 'eth1' })).toMatchObject({
      json: { interfaces: [{ name: 'eth1' }] },
    });
    await node.cni('DEL', { config, pod, ifname: 'eth0' });
    expect(node.hns.dump().endpoints).toMatchObject([{ Name: `${pod.containerId}_l2bridge_eth1` }]);
  });

  test('passes stdin unchanged to the IPAM plugin, and derives the MAC address from its address', async () => {
    const pod = node.newPod();
    const config = example('l2bridge', { ipam: { type: 'test-ipam', big: 2 ** 60 }, macPrefix: '0E-2A' });
    expect(await node.add(config, pod)).toMatchObject({
      json: {
        interfaces: [{ mac: '0e:2a:0a:f4:01:0a' }],
        ips: [{ address: '10.244.1.10/24', gateway: '10.244.1.1', interface: 0 }],
      },
    });
    await node.del(config, pod);
    expect(node.ipam.runs).toEqual([
      { command: 'ADD', stdin: JSON.stringify(config) },
      { command: 'DEL', stdin: JSON.stringify(config) },
    ]);
    expect(node.ipam.leases.size).toBe(0);
  });
});

describe('DEL', () => {
  test.each([
    ['an unknown key', { colour: 'red' }],
    ['a bad policy', { acls: [{ action: 'Maybe' }] }],
    ['an edited subnet', { subnets: [{ subnet: '10.9.0.0/16' }] }],
    ['another network type', { networkType: 'NAT' }],
    ['an invalid prevResult', { prevResult: 'x' }],
    ['only a name', { networkType: undefined, subnets: undefined, acls: undefined }],
  ])('deletes the endpoint with %s in the configuration', async (_, changes) => {
    const pod = node.newPod();
    await node.add(example('l2bridge'), pod);
    expect(await node.del(example('l2bridge', changes), pod)).toMatchObject({ exitCode: 0 });
    expect(node.hns.dump().endpoints).toEqual([]);
  });

  test('releases addresses after it deletes the endpoint, which a failing IPAM plugin does not prevent', async () => {
    const config = example('l2bridge', { ipam: { type: 'test-ipam' } });
    const pod = node.newPod();
    await node.add(config, pod);
    node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hresult: 0x800706be } });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 1, json: { code: 11 } });
    expect(node.ipam.leases.size).toBe(1);
    node.ipam.override.set('DEL', { exitCode: 1, stdout: '{"code":110,"msg":"disk full","details":"d"}' });
    expect(await node.del(config, pod)).toMatchObject({
      exitCode: 1,
      json: { code: 110, msg: 'disk full', details: 'd' },
    });
    expect(node.hns.dump().endpoints).toEqual([]);
  });

  test.each(['../x', 5, 'a b'])(
    'deletes the endpoint although ipam.type is %j, which cannot have leased an address',
    async (type) => {
      const pod = node.newPod();
      await node.add(example('l2bridge'), pod);
      const answer = await node.del(example('l2bridge', { ipam: { type } }), pod);
      expect(answer).toMatchObject({ exitCode: 0, stdout: '' });
      expect(node.hns.dump().endpoints).toEqual([]);
    },
  );
});

describe('CHECK fails with the reason', () => {
  const config = example('l2bridge');
  const checkAfter = async (change: (id: string) => unknown, changes: object = {}) => {
    const pod = node.newPod();
    const { json: prevResult } = await node.add(config, pod);
    await change(endpointId({ ...pod, ifname: 'eth0', network: 'l2bridge' }));
    return node.check({ ...config, prevResult, ...changes }, pod);
  };

  test('when the endpoint is missing', async () => {
    const answer = await checkAfter((id) =>
      node.hns.inject({ effect: { vanish: { kind: 'Endpoint', id } } }),
    );
    expect(answer).toMatchObject({
      exitCode: 1,
      json: {
        code: 102,
        msg: expect.stringContaining('is gone'),
        details: 'delete the pod, so that it is recreated',
      },
    });
  });

  test('when the endpoint is in another namespace', async () => {
    const other = node.newPod();
    const answer = await checkAfter(() => undefined);
    expect(answer.exitCode).toBe(0);
    const pod = { containerId: 'pod2', netns: other.netns };
    const moved = await node.check(
      { ...config, prevResult: { interfaces: [{ name: 'eth0', sandbox: other.netns }], ips: [] } },
      pod,
    );
    expect(moved).toMatchObject({ exitCode: 1, json: { code: 102 } });
    expect(`${moved.json.msg} ${moved.json.details}`).toContain(`expected ${other.netns}`);
    expect(moved.json.details).toContain('does not list the endpoint');
  });

  test.each([
    ['a policy', { outboundNat: { exceptions: ['10.0.0.0/8'] } }, 'policy {"Type":"OutBoundNAT"'],
    ['DNS', { dns: { nameservers: ['10.96.0.11'] } }, 'dns is {'],
    ['an address', { prevResult: { interfaces: [], ips: [] } }, 'prevResult has no interface "eth0" in'],
  ])('when %s differs', async (_, changes, message) => {
    expect(await checkAfter(() => undefined, changes)).toMatchObject({
      exitCode: 1,
      json: { code: 102, msg: expect.stringContaining(message) },
    });
  });

  test('except for DNS search domains that an earlier version sent as one entry', async () => {
    const search = ['a.local', 'b.local,c.local'];
    const pod = node.newPod();
    const { json: prevResult } = await node.add({ ...config, dns: { search } }, pod);
    const check = () => node.check({ ...config, dns: { search }, prevResult }, pod);
    expect(await check()).toMatchObject({ exitCode: 0 });
    const [endpoint] = node.hns.dump().endpoints;
    const answer = JSON.stringify({ ...endpoint, Dns: { Search: search } });
    node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 'every', effect: { answer } });
    expect(await check()).toMatchObject({ exitCode: 0 });
  });

  test('when the IPAM plugin reports an error', async () => {
    const pod = node.newPod();
    const withIpam = { ...config, ipam: { type: 'test-ipam' } };
    const { json: prevResult } = await node.add(withIpam, pod);
    expect(await node.check({ ...withIpam, prevResult }, pod)).toMatchObject({ exitCode: 0 });
    node.ipam.run({ CNI_COMMAND: 'DEL', CNI_CONTAINERID: pod.containerId, CNI_IFNAME: 'eth0' }, '');
    expect(await node.check({ ...withIpam, prevResult }, pod)).toMatchObject({
      json: { code: 100, msg: 'no lease' },
    });
  });
});
