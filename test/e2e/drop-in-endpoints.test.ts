import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../src/model/identity.ts';
import { type Node, type Pod, startNode } from './node.ts';

/** A `type` of each dialect, and its network type. */
const dialects = [
  ['win-bridge', 'L2Bridge'],
  ['win-overlay', 'Overlay'],
  ['sdnbridge', 'L2Bridge'],
  ['sdnoverlay', 'Overlay'],
  ['nat', 'NAT'],
  ['L2Tunnel', 'L2Tunnel'],
  ['Transparent', 'Transparent'],
] as const;

/** Other endpoints of a node's network, with the names of other programs and of other networks. */
const foreign = ['Ethernet', 'cbr0_ep', 'kube-proxy_remote', 'c0ffee_eth0', 'c0ffee_other', '_cbr0'];
const SchemaVersion = { Major: 2, Minor: 0 };
const dns = { nameservers: ['10.96.0.10'] };

const succeeded = { exitCode: 0, stdout: '' };

let node: Node;
let pod: Pod;
let created: number;
beforeEach(async () => {
  node = await startNode();
  pod = node.newPod('c0ffee');
  created = 0;
});
afterEach(() => node.stop());

const names = () => node.hns.dump().endpoints.map((endpoint) => endpoint['Name']);
const attachments = (...containers: readonly string[]) =>
  containers.map((containerID) => ({ containerID, ifname: 'eth0' }));

async function createNetwork(Type: string): Promise<void> {
  const Routes = [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }];
  const vsid = Type === 'Overlay' && { Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }] };
  await node.hcn.createNetwork(networkId('cbr0'), {
    Name: 'cbr0',
    Type,
    Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.244.1.0/24', Routes, ...vsid }] }],
    SchemaVersion,
  });
}

const lastId = () => `e446032f-bbf7-4b5a-880f-667bebc655${String(created).padStart(2, '0')}`;

/** Endpoints that another program created, with IDs that HNS generated. */
async function createEndpoints(...endpoints: readonly string[]): Promise<void> {
  const HostComputeNetwork = networkId('cbr0');
  const isOverlay = node.hns.dump().networks.some(({ Type }) => Type === 'Overlay');
  const Policies = isOverlay
    ? [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } }]
    : [];
  for (const Name of endpoints) {
    created += 1;
    await node.hcn.createEndpoint(HostComputeNetwork, lastId(), {
      Name,
      HostComputeNetwork,
      Policies,
      SchemaVersion,
    });
  }
}

describe.each(dialects)('endpoints with the dialect %s', (type, networkType) => {
  const config = { cniVersion: '1.1.0', name: 'cbr0', type, dns };
  const gc = (...valid: readonly string[]) =>
    node.gc({ ...config, 'cni.dev/valid-attachments': attachments(...valid) }, pod);

  beforeEach(() => createNetwork(networkType));

  test("DEL deletes the replaced plugin's endpoint of the container, and no other", async () => {
    await createEndpoints('c0ffee_cbr0', 'c0ffee2_cbr0', ...foreign);
    expect(await node.del(config, pod)).toMatchObject(succeeded);
    expect(names()).toEqual(['c0ffee2_cbr0', ...foreign]);
    expect(await node.del(config, pod)).toMatchObject(succeeded);
    expect(names()).toEqual(['c0ffee2_cbr0', ...foreign]);
  });

  test('GC deletes the endpoints of containers without a valid attachment, and no other', async () => {
    await createEndpoints('c0ffee_cbr0', 'dead_cbr0', ...foreign);
    expect(await gc('c0ffee')).toMatchObject(succeeded);
    expect(names()).toEqual(['c0ffee_cbr0', ...foreign]);
    expect(await gc()).toMatchObject(succeeded);
    expect(names()).toEqual(foreign);
  });

  describe('with an endpoint that the replaced plugin attached', () => {
    beforeEach(async () => {
      await createEndpoints('c0ffee_cbr0');
      await node.hcn.addEndpoint(pod.netns, lastId());
    });

    test('ADD is refused and keeps the endpoint', async () => {
      const { endpoints, namespaces } = node.hns.dump();
      expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 101 } });
      expect(node.hns.dump()).toMatchObject({ endpoints, namespaces });
    });

    test('CHECK checks it', async () => {
      const [own] = (await node.hcn.findEndpoint(lastId()))?.IpConfigurations ?? [];
      const prevResult = {
        cniVersion: '1.1.0',
        interfaces: [{ name: 'eth0', sandbox: pod.netns }],
        ips: [{ address: `${own?.IpAddress}/${own?.PrefixLength}`, interface: 0, gateway: '10.244.1.1' }],
      };
      const { dns: _, ...plain } = config;
      expect(await node.check({ ...plain, prevResult }, pod)).toMatchObject(succeeded);
    });
  });
});
