import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changes, onlyMac } from './expected.ts';
import { linux, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

/** The conflist of nerdctl's default network. */
const conflist = (subnet: string, gateway: string) => ({
  cniVersion: '1.0.0',
  name: 'nat',
  nerdctlID: '7e10ee6e1b6a0ab45b5d2ecc7d3b1b4e36e4a3e6e4c7e1bb5a4c9b1f3f2d8e90',
  nerdctlLabels: { 'nerdctl/default-network': 'true' },
  plugins: [
    {
      type: 'nat',
      master: 'Ethernet',
      ipam: { type: '', subnet, routes: [{ gateway }] },
      capabilities: { portMappings: true, dns: true },
    },
  ],
});
const capabilityArgs = {
  portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '' }],
  dns: { servers: ['10.0.0.53'], searches: ['example.org'], options: [] },
};
const gone = ['del', 'del', 'del-without-netns'] as const;

describe.for([linux, wine])('libcni 1.1.2 with $name as nat', (host) => {
  describe.skipIf(host.missing !== undefined)('for a container of nerdctl', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host, {}, 'nat');
    });
    afterEach(() => node.stop());

    /** Adds, checks and deletes a container with the second address of the network and its gateway. */
    async function live(list: object, net: string, length: number): Promise<void> {
      const { hns } = node;
      const { openHandles, clients } = hns.dump();
      const pod = { conflist: list, netns: hns.createNamespace(), capabilityArgs };
      const [added, checked] = await node.libcni(pod, ['add', 'check']);
      expect(added).toMatchObject({
        result: {
          interfaces: [{ name: 'eth0', mac: onlyMac(hns), sandbox: pod.netns }],
          ips: [{ interface: 0, address: `${net}.2/${length}`, gateway: `${net}.1` }],
          routes: [{ dst: '0.0.0.0/0', gw: `${net}.1` }],
          dns: { nameservers: ['10.0.0.53'], search: ['example.org'] },
        },
      });
      expect(checked).toEqual({ command: 'check' });
      expect(hns.dump()).toMatchObject({
        networks: [{ Name: 'nat' }],
        endpoints: [
          {
            Name: 'pod1_nat',
            HostComputeNamespace: pod.netns,
            IpConfigurations: [{ IpAddress: `${net}.2`, PrefixLength: length }],
            Routes: [{ NextHop: `${net}.1`, DestinationPrefix: '0.0.0.0/0' }],
            Dns: { ServerList: ['10.0.0.53'], Search: ['example.org'] },
            Policies: expect.arrayContaining([
              {
                Type: 'PortMapping',
                Settings: expect.objectContaining({ Protocol: 6, InternalPort: 80, ExternalPort: 8080 }),
              },
            ]),
          },
        ],
      });
      expect(await node.libcni(pod, gone)).toEqual(gone.map((command) => ({ command })));
      expect(hns.dump()).toMatchObject({ networks: [{ Name: 'nat' }], endpoints: [] });
      await expect.poll(() => hns.dump()).toMatchObject({ openHandles, clients });
    }

    test('creates a missing network, adds, checks and deletes', async () => {
      await live(conflist('172.20.0.0/16', '172.20.0.1'), '172.20.0', 16);
      expect(changes(node.hns)).toEqual([
        'HcnCreateNetwork',
        'HcnCreateEndpoint',
        'HcnModifyNamespace',
        ...gone.flatMap((command) =>
          command === 'del-without-netns'
            ? ['HcnDeleteEndpoint']
            : ['HcnModifyNamespace', 'HcnDeleteEndpoint'],
        ),
      ]);
    });
  });
});
