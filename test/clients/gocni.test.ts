import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conflist } from './conflist.ts';
import { onlyMac } from './expected.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

/** The labels that containerd's CRI passes for a pod. */
const pod = {
  id: '800b96d1f9d44d1c5b1ca3f7ad20c9c5a4ee0d3ba8d3cd9a3fb4b6bb9a4b0f3e',
  labels: {
    K8S_POD_NAMESPACE: 'default',
    K8S_POD_NAME: 'web-0',
    K8S_POD_INFRA_CONTAINER_ID: '800b96d1f9d44d1c5b1ca3f7ad20c9c5a4ee0d3ba8d3cd9a3fb4b6bb9a4b0f3e',
    K8S_POD_UID: '6f1d8a52-2b0e-4a56-8f0c-6f0f1b9f2a11',
    IgnoreUnknown: '1',
  },
  annotations: { 'example.org/colour': 'blue' },
};
const dns = { Servers: ['10.96.0.53'], Searches: ['default.svc.cluster.local'], Options: null };
const removed = [{ command: 'remove' }, { command: 'remove-without-netns' }];

describe.for([linux, wine])('go-cni 1.1.7 as in containerd, with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('for a pod', () => {
    let node: Node;
    let netns: string;
    beforeEach(async () => {
      node = await startNode(host);
      netns = node.hns.createNamespace();
    });
    afterEach(() => node.stop());

    const rows = [
      { name: 'l2bridge', net: '10.244.1', version: '0.2.0' },
      { name: 'l2bridge', net: '10.244.1', version: '0.4.0' },
      { name: 'l2bridge', net: '10.244.1', version: '1.0.0' },
      { name: 'overlay', net: '10.245.1', version: '1.0.0' },
    ] as const;
    test.each(rowsOn(host, rows))(
      'finds the address of eth0, by the $name example in version $version',
      async (row) => {
        const { name, net, version } = row;
        const attachment = { ...pod, conflist: conflist(name, version), netns, dns };
        const [set] = await node.gocni(attachment, ['setup']);
        const shown =
          version !== '0.2.0' ? { Mac: onlyMac(node.hns), Sandbox: netns } : { Mac: '', Sandbox: '' };
        expect(set).toEqual({
          command: 'setup',
          result: {
            Interfaces: { eth0: { IPConfigs: [{ IP: `${net}.2`, Gateway: `${net}.1` }], ...shown } },
            DNS: [{ nameservers: ['10.96.0.53'], search: ['default.svc.cluster.local'] }],
            Routes: [{ dst: '0.0.0.0/0', gw: `${net}.1` }],
          },
        });
        expect(node.hns.dump().endpoints).toMatchObject([
          {
            Name: `${pod.id}_${name}_eth0`,
            HostComputeNamespace: netns,
            IpConfigurations: [{ IpAddress: `${net}.2`, PrefixLength: 24 }],
            Dns: { ServerList: ['10.96.0.53'], Search: ['default.svc.cluster.local'] },
          },
        ]);
        if (version === '0.4.0' || version === '1.0.0')
          expect(await node.gocni(attachment, ['check'])).toEqual([{ command: 'check' }]);
        expect(await node.gocni(attachment, ['remove', 'remove-without-netns'])).toEqual(removed);
        expect(node.hns.dump()).toMatchObject({ networks: [{ Name: name }], endpoints: [] });
        await expect.poll(() => node.hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
      },
    );

    test('passes port mappings and bandwidth to the endpoint', async () => {
      const capabilities = { dns: true, portMappings: true, bandwidth: true };
      const attachment = {
        ...pod,
        conflist: conflist('l2bridge', '1.0.0', { capabilities }),
        netns,
        portMappings: [{ HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' }],
        bandwidth: { IngressRate: 0, IngressBurst: 0, EgressRate: 8_000_000, EgressBurst: 4_294_967_295 },
      };
      const [set, checked] = await node.gocni(attachment, ['setup', 'check']);
      expect(set?.error).toBeUndefined();
      expect(checked).toEqual({ command: 'check' });
      const [endpoint] = node.hns.dump().endpoints;
      expect(endpoint?.['Policies']).toEqual(
        expect.arrayContaining([
          {
            Type: 'PortMapping',
            Settings: expect.objectContaining({ Protocol: 6, InternalPort: 80, ExternalPort: 8080 }),
          },
          { Type: 'QOS', Settings: expect.objectContaining({ MaximumOutgoingBandwidthInBytes: 1_000_000 }) },
        ]),
      );
      expect(await node.gocni(attachment, ['remove', 'remove-without-netns'])).toEqual(removed);
    });
  });
});
