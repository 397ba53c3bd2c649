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
});

test('the endpoints of the node and a pod are on a network whose ID HNS chose', async () => {
  await node.stop();
  node = await start({ switches: { callerIds: 'ignored' } });
  expect(await add()).toMatchObject({ exitCode: 0 });
  const { networks, endpoints } = node.hns.dump();
  const [id] = networks.map(({ ID }) => ID);
  expect(endpoints.map((endpoint) => endpoint['HostComputeNetwork'])).toEqual([id, id]);
});

describe('an ADD that fails', () => {
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
