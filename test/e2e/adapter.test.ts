import { afterEach, describe, expect, test } from 'vitest';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
afterEach(() => node.stop());

const adapters = [
  { name: 'Ethernet', managementIp: '10.0.0.4', index: 5, mac: '00-15-5D-00-00-00' },
  { name: 'Ethernet 2', managementIp: '172.16.0.4', index: 7, mac: '00-15-5D-00-00-01', mtu: 9000 },
];

const add = (changes: object, name = 'l2bridge') => node.add(example(name, changes));
const bound = () => node.hns.dump().networks.map(({ Policies }) => JSON.stringify(Policies));

describe('the adapter of a network', () => {
  test.each([['Ethernet 2'], ['7'], ['00:15:5D:00:00:01'], ['172.16.0.4'], ['172.16.0.0/12']])(
    'can be given as %s, and an existing network on it then matches',
    async (adapter) => {
      node = await startNode({ adapters });
      expect(await add({ adapter })).toMatchObject({ exitCode: 0 });
      expect(bound()).toEqual([expect.stringContaining('"NetworkAdapterName":"Ethernet 2"')]);
      expect(await add({ adapter })).toMatchObject({ exitCode: 0 });
      expect(await add({ adapter: 'Ethernet 2' })).toMatchObject({ exitCode: 0 });
    },
  );

  test('is by default the one with the default route', async () => {
    node = await startNode({
      adapters: adapters
        .toReversed()
        .map((one) => ({ ...one, gateway: one.name === 'Ethernet' ? '10.0.0.1' : '' })),
    });
    expect(await add({ adapter: undefined })).toMatchObject({ exitCode: 0 });
    expect(bound()).toEqual([expect.stringContaining('"NetworkAdapterName":"Ethernet"')]);
  });

  test('that is missing is refused with a list of the existing ones', async () => {
    node = await startNode({ adapters });
    expect(await add({ adapter: 'Ethernet 3' })).toMatchObject({
      json: {
        code: 100,
        msg: expect.stringContaining('HCN_E_ADAPTER_NOT_FOUND'),
        details: expect.stringContaining(
          'network adapters: "Ethernet" (index 5, 00-15-5D-00-00-00, up, 10.0.0.4/24); "Ethernet 2" (index 7, 00-15-5D-00-00-01, up, 172.16.0.4/24)',
        ),
      },
    });
    expect(await add({ adapter: '9' })).toMatchObject({
      json: { code: 7, msg: expect.stringContaining('/adapter is "9"') },
    });
  });

  test('and all other differences to an existing network are shown in one table', async () => {
    node = await startNode({ adapters });
    await add({});
    const changes = {
      adapter: 'Ethernet 2',
      subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.9', vlan: 7 }],
    };
    expect((await add(changes)).json).toMatchObject({
      code: 7,
      msg: 'network "l2bridge" exists but differs from the configuration: adapter is Ethernet, expected Ethernet 2',
      details: [
        '                          configuration  HNS',
        'adapter                   Ethernet 2     Ethernet',
        'gateway of 10.244.1.0/24  10.244.1.9     10.244.1.1',
        'vlan of 10.244.1.0/24     7              none',
        'change the configuration, or delete the network when no pod uses it: win-hcn network delete l2bridge --yes',
      ].join('\n'),
    });
  });
});

describe('an MTU', () => {
  const overhead = () => JSON.stringify(node.hns.dump().endpoints.at(-1)?.['Policies']);

  test("is sent as the difference to the adapter's, and is in the result", async () => {
    node = await startNode({ adapters });
    const config = example('mtu', { cniVersion: '1.1.0' });
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(added).toMatchObject({ json: { interfaces: [{ mtu: 1400 }] } });
    expect(overhead()).toContain('{"Type":"EncapOverhead","Settings":{"Overhead":100}}');
    const checked = { config: { ...config, prevResult: added.json }, pod };
    const answer = await node.cni('CHECK', checked);
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(answer.calls.filter((call) => call.includes('Network'))).toEqual([
      'HcnOpenNetwork',
      'HcnQueryNetworkProperties',
    ]);
    expect(
      await add({ adapter: 'Ethernet 2', mtu: 8950, name: 'jumbo', subnets: [{ subnet: '10.9.0.0/24' }] }),
    ).toMatchObject({ exitCode: 0 });
    expect(overhead()).toContain('{"Type":"EncapOverhead","Settings":{"Overhead":50}}');
  });
});

describe('an endpoint that HNS accepts but does not program', () => {
  test.each([
    ['is degraded', { state: 5 }, 'HNS reports the endpoint as degraded'],
    ['is destroyed', { state: 6 }, 'HNS reports the endpoint as destroyed'],
  ])('because it %s fails the ADD, which rolls back', async (_, unhealthy, message) => {
    node = await startNode({ adapters });
    const before = node.hns.dump();
    node.hns.inject({ function: 'HcnCreateEndpoint', effect: { unhealthy } });
    const answer = await add({ ipam: { type: 'test-ipam' } });
    expect(answer).toMatchObject({ exitCode: 1, json: { code: 100, msg: expect.stringContaining(message) } });
    expect(node.hns.dump()).toMatchObject({ endpoints: before.endpoints });
    expect(node.ipam.leases.size).toBe(0);
  });
});
