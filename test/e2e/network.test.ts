import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../src/model/identity.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

describe('an existing network', () => {
  test.each([
    ['subnet', { subnets: [{ subnet: '10.9.0.0/16' }] }, 'subnets are 10.244.1.0/24, expected 10.9.0.0/16'],
    [
      'gateway',
      { subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.9' }] },
      'gateway of 10.244.1.0/24 is 10.244.1.1, expected 10.244.1.9',
    ],
    [
      'type',
      { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] },
      'networkType is L2Bridge, expected Overlay',
    ],
    ['adapter', { adapter: 'Ethernet 2' }, 'adapter is Ethernet, expected Ethernet 2'],
  ])(
    'with another %s is refused and unchanged, before an address is assigned',
    async (_, changes, message) => {
      await node.add(example('l2bridge'));
      const before = node.hns.dump();
      const config = example('l2bridge', { ipam: { type: 'test-ipam' }, ...changes });
      const answer = await node.add(config);
      expect(answer).toMatchObject({ exitCode: 1, json: { code: 7, msg: expect.stringContaining(message) } });
      expect(node.hns.dump().networks).toEqual(before.networks);
      expect(node.ipam.runs).toEqual([]);
    },
  );

  test('provides the gateway if the configuration has none', async () => {
    await node.add(example('l2bridge', { subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.254' }] }));
    const config = example('l2bridge', { subnets: [{ subnet: '10.244.1.0/24' }] });
    expect(await node.add(config)).toMatchObject({ json: { ips: [{ gateway: '10.244.1.254' }] } });
  });
});

test('a network that may not be created is looked up once, before an address is assigned', async () => {
  const config = example('l2bridge', { createNetwork: 'never', ipam: { type: 'test-ipam' } });
  expect(await node.add(config)).toMatchObject({
    exitCode: 1,
    calls: ['HcnEnumerateNetworks', 'HcnOpenNamespace'],
    json: { code: 11, msg: 'network "l2bridge" does not exist and "createNetwork" is "never"' },
  });
  expect(node.ipam.runs).toEqual([]);
});

test.each([
  ['finds no plugin', { type: 'nowhere' }],
  ['gets no address', { type: 'test-ipam' }],
])('an ADD that %s creates no network', async (_, ipam) => {
  node.ipam.override.set('ADD', { exitCode: 1, stdout: '{"code":11,"msg":"full"}' });
  expect(await node.add(example('l2bridge', { ipam }))).toMatchObject({ exitCode: 1 });
  expect(node.hns.calls.map((call) => call.function)).not.toContain('HcnCreateNetwork');
});

test('an ADD with an address outside the subnets creates no network and releases the address', async () => {
  node.ipam.prefix = '10.9.0.';
  const config = example('l2bridge', { ipam: { type: 'test-ipam' } });
  const answer = await node.add(config);
  expect(answer).toMatchObject({
    exitCode: 1,
    json: { code: 7, msg: 'address 10.9.0.10 is outside network "l2bridge"' },
  });
  expect(answer.calls).not.toContain('HcnCreateNetwork');
  expect(node.ipam.leases.size).toBe(0);
});

describe.each([
  ['overlay', 'Overlay'],
  ['l2bridge', 'L2Bridge'],
  ['l2tunnel', 'L2Tunnel'],
])('a network of the %s example', (name, Type) => {
  test('that HNS does not finish in time is error 11 and stays, so that the next ADD can use it', async () => {
    await node.stop();
    node = await startNode({ providerAddressDelayMs: 1500 }, () => hastyClock(100));
    const pod = node.newPod();
    const first = await node.add(example(name, { ipam: undefined }), pod);
    expect(first).toMatchObject({
      exitCode: 1,
      json: { code: 11, msg: `network "${name}" has no usable address of the node after 20 s` },
    });
    expect(node.hns.dump().networks).toMatchObject([{ Type }]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await node.add(example(name, { ipam: undefined }), pod)).toMatchObject({ exitCode: 0 });
  });
});

test('a new Transparent network gets time until it accepts an address', async () => {
  await node.stop();
  // Two seconds of the clock pass in 400 ms.
  node = await startNode({ staticAddressDelayMs: 300 }, () => hastyClock(5));
  node.ipam.prefix = '10.42.0.';
  const config = example('transparent', { adapter: 'Ethernet', ipam: { type: 'test-ipam' } });
  expect(await node.add(config)).toMatchObject({
    exitCode: 0,
    json: { ips: [{ address: '10.42.0.10/24' }] },
  });
});

describe('when two requests create the network at once', () => {
  /** Adds two pods at once, both to the network that one of the requests creates. */
  const addTwo = async (changes: object = {}) => {
    const config = example('l2bridge', changes);
    const answers = await Promise.all([node.add(config), node.add(config)]);
    expect(answers.map((answer) => answer.exitCode)).toEqual([0, 0]);
    expect(node.hns.dump()).toMatchObject({ networks: [{ ID: networkId('l2bridge') }], endpoints: [{}, {}] });
  };

  test.each([
    ['the network exists', 0x803b0010],
    ['it failed', 0x80004005],
    ['the adapter is in use', 0x803b0006],
  ])('the one that HCN refuses because %s uses the network of the other one', async (_, hresult) => {
    node.hns.inject({ function: 'HcnCreateNetwork', ordinal: 2, effect: { hresult } });
    await addTwo();
  });

  test('the one that finds no adapter, because the other one uses it, uses that network', async () => {
    node.hns.inject({ function: 'GetAdaptersAddresses', effect: { answer: '' } });
    node.hns.inject({ function: 'HcnCreateNetwork', effect: { delayMs: 200 } });
    await addTwo({ adapter: undefined });
  });
});

describe('a response of HCN', () => {
  const object = (members: object) => JSON.stringify({ ID: networkId('l2bridge'), ...members });

  test.each([
    ['text that is not JSON', 'HcnEnumerateNetworks', '{'],
    ['an object for a list', 'HcnEnumerateNetworks', '{}'],
    ['a network without an id', 'HcnQueryNetworkProperties', '{}'],
    ['a number for a type', 'HcnQueryNetworkProperties', object({ Type: 5 })],
    ['an invalid address', 'HcnQueryEndpointProperties', object({ IpConfigurations: [{}] })],
  ])('with %s is an error and never means absent', async (_, name, answer) => {
    await node.add(example('l2bridge'));
    const before = node.hns.dump().endpoints;
    node.hns.clearCalls();
    node.hns.inject({ function: name, effect: { answer } });
    const added = await node.add(example('l2bridge', { createNetwork: 'never' }));
    expect(added).toMatchObject({
      exitCode: 1,
      json: { code: 11, msg: expect.stringContaining('HCN returned') },
    });
    expect(node.hns.calls.map((call) => call.function)).not.toContain('HcnCreateNetwork');
    expect(node.hns.dump().endpoints).toEqual(before);
  });

  test('with an error record is a failure whatever the HRESULT', async () => {
    const pod = node.newPod();
    await node.add(example('l2bridge'), pod);
    const errorRecord = '{"Success":false,"Error":"The request is not supported. ","ErrorCode":2151350293}';
    node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { errorRecord } });
    expect(await node.del(example('l2bridge'), pod)).toMatchObject({
      exitCode: 1,
      json: { code: 11, msg: expect.stringContaining('HCN_E_REQUEST_UNSUPPORTED (0x803b0015)') },
    });
  });
});
