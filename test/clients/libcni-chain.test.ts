import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chain } from './conflist.ts';
import { onlyMac, result100, resultIn } from './expected.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const previous = {
  cniVersion: '1.0.0',
  interfaces: [{ name: 'dummy0', mac: '02:00:00:00:00:01' }],
  ips: [{ interface: 0, address: '192.0.2.9/24' }],
  routes: [{ dst: '192.0.2.0/24' }],
};

describe.for([linux, wine])('libcni 1.1.2 with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('for a list of two plugins', () => {
    let node: Node;
    let netns: string;
    beforeEach(async () => {
      node = await startNode(host);
      netns = node.hns.createNamespace();
    });
    afterEach(() => node.stop());

    const others = [{ command: 'check' }, { command: 'del' }, { command: 'del-without-netns' }];
    const versions = ['0.3.1', '1.0.0'];

    test.each(rowsOn(host, versions))(
      'passes our result through the next plugin, in version %s',
      async (version) => {
        const conflist = chain('l2bridge', version, { behind: [{ type: 'neighbour' }] });
        const [added] = await node.libcni({ conflist, netns }, ['add']);
        const attached = { netns, mac: onlyMac(node.hns), address: '10.244.1.2/24', gateway: '10.244.1.1' };
        expect(added).toEqual({
          command: 'add',
          result: resultIn(version, attached),
          result100: result100(version, attached),
        });
        if (version !== '0.3.1')
          expect(await node.libcni({ conflist, netns }, ['check'])).toEqual([others[0]]);
        const deleted = await node.libcni({ conflist, netns }, ['del', 'del-without-netns']);
        expect(deleted).toEqual(others.slice(1));
        expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
      },
    );

    test("appends our result to the previous plugin's, with adjusted indexes", async () => {
      const conflist = chain('l2bridge', '1.0.0', { before: [{ type: 'neighbour', result: previous }] });
      const [added] = await node.libcni({ conflist, netns }, ['add']);
      expect(added).toMatchObject({ command: 'add' });
      expect(added?.result).toEqual({
        cniVersion: '1.0.0',
        interfaces: [
          { name: 'dummy0', mac: '02:00:00:00:00:01' },
          { name: 'eth0', mac: onlyMac(node.hns), sandbox: netns },
        ],
        ips: [
          { interface: 0, address: '192.0.2.9/24' },
          { interface: 1, address: '10.244.1.2/24', gateway: '10.244.1.1' },
        ],
        routes: [{ dst: '192.0.2.0/24' }, { dst: '0.0.0.0/0', gw: '10.244.1.1' }],
        dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      });
      expect(node.hns.dump().endpoints).toMatchObject([{ IpConfigurations: [{ IpAddress: '10.244.1.2' }] }]);
      expect(await node.libcni({ conflist, netns }, ['check', 'del', 'del-without-netns'])).toEqual(others);
      expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
    });

    test('cleans up with DEL when the next plugin fails', async () => {
      const conflist = chain('l2bridge', '1.0.0', { behind: [{ type: 'neighbour', fail: 'no more room' }] });
      const [added, ...deleted] = await node.libcni({ conflist, netns }, ['add', 'del', 'del-without-netns']);
      expect(added).toEqual({
        command: 'add',
        error: {
          text: 'plugin type="neighbour" failed (add): no more room',
          plugin: { code: 100, msg: 'no more room' },
        },
      });
      expect(deleted).toEqual(others.slice(1));
      expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
    });
  });
});
