import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conflist } from './conflist.ts';
import { changes, onlyMac, result100, resultIn } from './expected.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type LibcniCommand, type Node, startNode } from './node.ts';

const versions = ['0.1.0', '0.3.1', '0.4.0', '1.0.0'];
const withCheck = ['0.4.0', '1.0.0'];
const examples = [
  { name: 'l2bridge', type: 'L2Bridge', net: '10.244.1', creation: ['HcnCreateNetwork'] },
  // HostRoute is added after the creation.
  { name: 'overlay', type: 'Overlay', net: '10.245.1', creation: ['HcnCreateNetwork', 'HcnModifyNetwork'] },
] as const;

describe.for([linux, wine])('libcni 1.1.2 with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('for a pod', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host);
    });
    afterEach(() => node.stop());

    const cases = examples.flatMap((example) =>
      rowsOn(host, versions).map((version) => ({ ...example, version })),
    );
    test.each(cases)(
      'adds, checks and deletes it with the $name example in version $version',
      async (example) => {
        const { name, type, net, creation, version } = example;
        const { hns } = node;
        const netns = hns.createNamespace();
        const run = async (command: LibcniCommand) =>
          (await node.libcni({ conflist: conflist(name, version), netns }, [command]))[0];

        const added = await run('add');
        const attached = { netns, mac: onlyMac(hns), address: `${net}.2/24`, gateway: `${net}.1` };
        expect(added).toEqual({
          command: 'add',
          result: resultIn(version, attached),
          result100: result100(version, attached),
        });
        expect(hns.dump()).toMatchObject({
          networks: [{ Name: name, Type: type }],
          endpoints: [
            {
              Name: `pod1_${name}_eth0`,
              HostComputeNamespace: netns,
              IpConfigurations: [{ IpAddress: `${net}.2`, PrefixLength: 24 }],
              Routes: [{ NextHop: `${net}.1`, DestinationPrefix: '0.0.0.0/0' }],
              Dns: { ServerList: ['10.96.0.10'], Search: ['svc.cluster.local'] },
            },
          ],
        });
        expect(changes(hns)).toEqual([...creation, 'HcnCreateEndpoint', 'HcnModifyNamespace']);

        const before = hns.dump();
        const unsupported = `configuration version "${version}" does not support the CHECK command`;
        const noCheck = { command: 'check', error: { text: unsupported } };
        expect(await run('check')).toEqual(withCheck.includes(version) ? { command: 'check' } : noCheck);
        expect(hns.dump()).toMatchObject({ networks: before.networks, endpoints: before.endpoints });
        expect(changes(hns)).toEqual([]);

        expect(await run('del')).toEqual({ command: 'del' });
        expect(hns.dump()).toMatchObject({ networks: [{ Name: name }], endpoints: [] });
        expect(changes(hns)).toEqual(['HcnModifyNamespace', 'HcnDeleteEndpoint']);

        expect(await run('del')).toEqual({ command: 'del' });
        expect(await run('del-without-netns')).toEqual({ command: 'del-without-netns' });
        expect(hns.dump()).toMatchObject({ networks: [{ Name: name }], endpoints: [] });
        await expect.poll(() => hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
      },
    );

    test('requests VERSION, and finds all versions that it supports, without calls to HNS', async () => {
      const pod = { conflist: conflist('l2bridge'), netns: '' };
      expect(await node.libcni(pod, ['version', 'validate'])).toEqual([
        { command: 'version', versions: expect.arrayContaining(versions) },
        { command: 'validate', capabilities: expect.arrayContaining(['dns', 'portMappings', 'bandwidth']) },
      ]);
      expect(node.hns.calls).toEqual([]);
    });
  });
});
