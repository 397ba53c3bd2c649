import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostEndpointId } from '../../src/model/identity.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('l2bridge-host-endpoint', { ipam: { type: 'test-ipam' } });
const id = hostEndpointId('cbr0');

let node: Node;
beforeEach(async () => {
  node = await start();
});
afterEach(() => node.stop());

async function start(options: HnsOptions = {}): Promise<Node> {
  const started = await startNode(options);
  started.ipam.prefix = '10.244.2.';
  return started;
}

const add = (changes: object = {}) => node.add({ ...config, ...changes });
const interfaceOf = (alias: string) => node.hns.hostInterfaces().find((one) => one.alias === alias);
const hostEndpoint = () => node.hns.dump().endpoints.find(({ ID }) => ID === id);
const system = () => node.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1);

/** Makes the k-th enumeration of the node's adapters return none. */
const noAdapters = (ordinal: number) =>
  node.hns.inject({ function: 'GetAdaptersAddresses', ordinal, effect: { answer: '' } });

describe('the host endpoint', () => {
  test("is an endpoint in the node's namespace, between the network and the node's adapter", async () => {
    expect(await add()).toMatchObject({ exitCode: 0 });
    expect(hostEndpoint()).toMatchObject({
      ID: id,
      Name: 'cbr0_ep',
      HostComputeNamespace: system()?.['ID'],
      IpConfigurations: [{ IpAddress: '10.244.2.2', PrefixLength: 24 }],
    });
    expect(interfaceOf('vEthernet (cbr0_ep)')).toMatchObject({
      addresses: ['10.244.2.2/24'],
      gateways: [],
      forwarding: true,
    });
    expect(interfaceOf('vEthernet (Ethernet)')).toMatchObject({
      addresses: ['10.0.0.4/24'],
      gateways: ['10.0.0.1'],
      forwarding: true,
    });
  });

  test('is created once by two ADDs at once', async () => {
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(node.hns.dump().endpoints).toHaveLength(4);
    expect(system()).toMatchObject({ Resources: [{ Type: 'Endpoint', Data: { Id: id } }] });
  });

  test('that an interrupted request did not attach is replaced if its address differs', async () => {
    await add();
    await node.hcn.removeEndpoint(String(system()?.['ID']), id);
    expect(await add({ hostEndpoint: { address: '10.244.2.9' } })).toMatchObject({ exitCode: 0 });
    expect(hostEndpoint()).toMatchObject({
      HostComputeNamespace: system()?.['ID'],
      IpConfigurations: [{ IpAddress: '10.244.2.9' }],
    });
  });

  test('without an interface is error 11, and the next ADD can continue', async () => {
    for (let ordinal = 2; ordinal < 60; ordinal += 1) noAdapters(ordinal);
    expect(await add()).toMatchObject({
      exitCode: 1,
      json: {
        code: 11,
        msg: 'no interface has the address of host endpoint 10.244.2.2, or the adapter of the network has no IPv4 address',
      },
    });
    expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'cbr0' }], endpoints: [{ ID: id }] });
    node.hns.clearFaults();
    expect(await add()).toMatchObject({ exitCode: 0 });
  });

  test('with another address than configured is refused, because existing pods use it', async () => {
    await add();
    const answer = await add({ hostEndpoint: { address: '10.244.2.9' } });
    expect(answer).toMatchObject({
      exitCode: 1,
      json: { code: 7, msg: 'host endpoint "cbr0_ep" has 10.244.2.2, and /hostEndpoint asks for 10.244.2.9' },
    });
    expect(node.ipam.leases.size).toBe(1);
  });

  test('stays after the last pod, and is not a leftover for GC', async () => {
    const pod = node.newPod();
    await node.add(config, pod);
    await node.del(config, pod);
    const gc = { ...config, cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] };
    expect(await node.gc(gc, pod)).toMatchObject({ exitCode: 0 });
    expect(node.hns.dump().endpoints).toMatchObject([{ ID: id }]);
  });
});

describe('an address that an IPAM plugin assigns', () => {
  test.each([
    ['belongs to the host endpoint', '10.244.2.2'],
    ['is the gateway of the network', '10.244.2.1'],
  ])('and that %s is refused with a remedy', async (_, address) => {
    const result = { cniVersion: '1.0.0', ips: [{ address: `${address}/24` }] };
    node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify(result) });
    expect(await add()).toMatchObject({
      json: {
        code: 7,
        msg: `address ${address} cannot be assigned: it is the gateway of network "cbr0"`,
        details: "exclude it from the IPAM plugin's range; with host-local, raise rangeStart",
      },
    });
  });
});

describe('an impossible host endpoint is refused before the network is created', () => {
  test.each([
    [{ hostEndpoint: { address: '10.244.2.1' } }, "10.244.2.1 is the network's gateway, which HNS reserves"],
    [{ hostEndpoint: { address: '10.244.2.255' } }, '10.244.2.255 is not a usable address in 10.244.2.0/24'],
    [
      { hostEndpoint: {}, subnets: [{ subnet: '10.244.2.0/24', gateway: '10.244.2.2' }] },
      "10.244.2.2 is the network's gateway, which HNS reserves",
    ],
    [{ hostEndpoint: {}, subnets: [{ subnet: 'fd00:2::/64' }] }, 'network "cbr0" has no IPv4 subnet'],
    [
      { hostEndpoint: { address: '10.0.0.4' }, subnets: [{ subnet: '10.0.0.0/24' }] },
      '10.0.0.4 is already assigned to the node\'s adapter "Ethernet"',
    ],
  ])('with %j', async (changes, message) => {
    const answer = await add(changes);
    expect(answer).toMatchObject({ exitCode: 1, json: { code: 7 } });
    expect(answer.json.msg).toContain(message);
    expect(answer.calls).not.toContain('HcnCreateNetwork');
    expect(node.ipam.runs).toEqual([]);
  });
});

describe('an ADD that fails', () => {
  const unhealthy = () =>
    node.hns.inject({ function: 'HcnModifyNamespace', ordinal: 2, effect: { hresult: 0x803b002e } });

  test('keeps the host endpoint, because another pod may use it', async () => {
    const { hostEndpoint: _, ...without } = config;
    await node.add(without);
    unhealthy();
    expect(await add()).toMatchObject({ exitCode: 1 });
    expect(node.hns.dump().endpoints).toHaveLength(2);
    expect(await add()).toMatchObject({ exitCode: 0 });
  });

  test.each([
    [
      'listing the adapters',
      'GetAdaptersAddresses',
      2,
      'listing the network adapters of this host: Windows returned ERROR_ACCESS_DENIED (5)',
    ],
    ['the second default route', 'DeleteIpForwardEntry2', 1, 'deleting the default route'],
  ])(
    'at %s reports it and keeps the network for the next ADD, which finds everything in place',
    async (_, name, ordinal, message) => {
      await node.stop();
      node = await start({ switches: { unspecifiedNextHop: 'refused' } });
      node.hns.inject({ function: name, ordinal, effect: { hresult: 0x80070005 } });
      expect(await add()).toMatchObject({
        exitCode: 1,
        json: { code: 100, msg: expect.stringContaining(message) },
      });
      expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'cbr0' }], endpoints: [{ ID: id }] });
      expect(node.ipam.leases.size).toBe(0);
      const next = await add();
      expect(next).toMatchObject({ exitCode: 0 });
      expect(next.calls).not.toContain('HcnCreateNetwork');
    },
  );
});
