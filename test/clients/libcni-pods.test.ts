import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loopbackAdapter } from '../windows/loopback-adapter.ts';
import { conflist } from './conflist.ts';
import { linux, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const adapters = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { ...loopbackAdapter, name: 'Ethernet 2' },
];

describe.for([linux, wine])('libcni 1.1.2 with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('for several attachments', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host, { adapters });
    });
    afterEach(() => node.stop());

    test('adds two interfaces on one network and one on another to a container, and deletes each separately', async () => {
      const netns = node.hns.createNamespace();
      const eth0 = { conflist: conflist('l2bridge'), netns };
      const eth1 = { conflist: conflist('l2bridge'), netns, ifname: 'eth1' };
      const eth2 = {
        conflist: conflist('overlay', '1.0.0', { adapter: 'Ethernet 2' }),
        netns,
        ifname: 'eth2',
      };
      const added = [];
      for (const pod of [eth0, eth1, eth2]) added.push(...(await node.libcni(pod, ['add'])));
      expect(added).toMatchObject([
        { result: { interfaces: [{ name: 'eth0', sandbox: netns }], ips: [{ address: '10.244.1.2/24' }] } },
        { result: { interfaces: [{ name: 'eth1', sandbox: netns }], ips: [{ address: '10.244.1.3/24' }] } },
        { result: { interfaces: [{ name: 'eth2', sandbox: netns }], ips: [{ address: '10.245.1.2/24' }] } },
      ]);
      const names = () => node.hns.dump().endpoints.map(({ Name }) => Name);
      expect(names()).toEqual(['pod1_l2bridge_eth0', 'pod1_l2bridge_eth1', 'pod1_overlay_eth2']);
      expect(await node.libcni(eth1, ['del'])).toEqual([{ command: 'del' }]);
      expect(names()).toEqual(['pod1_l2bridge_eth0', 'pod1_overlay_eth2']);
      expect(await node.libcni(eth0, ['check', 'del'])).toEqual([{ command: 'check' }, { command: 'del' }]);
      expect(await node.libcni(eth2, ['check', 'del'])).toEqual([{ command: 'check' }, { command: 'del' }]);
      expect(names()).toEqual([]);
    });

    test('passes the dns capability, which replaces the configured servers', async () => {
      const pod = {
        conflist: conflist('l2bridge'),
        netns: node.hns.createNamespace(),
        args: [['K8S_POD_NAME', 'web'] as const, ['IgnoreUnknown', '1'] as const],
        capabilityArgs: { dns: { servers: ['10.96.0.53'], searches: null, options: ['ndots:5'] } },
      };
      const [added, checked] = await node.libcni(pod, ['add', 'check']);
      const dns = { nameservers: ['10.96.0.53'], search: ['svc.cluster.local'], options: ['ndots:5'] };
      expect(added).toMatchObject({ result: { dns } });
      expect(checked).toEqual({ command: 'check' });
      expect(node.hns.dump().endpoints).toMatchObject([
        { Dns: { ServerList: ['10.96.0.53'], Search: ['svc.cluster.local'], Options: ['ndots:5'] } },
      ]);
    });
  });
});
