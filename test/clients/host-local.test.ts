import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conflist } from './conflist.ts';
import { debianPlugins, debianPluginsMissing } from './debian-plugins.ts';
import { onlyMac, resultIn } from './expected.ts';
import { linux } from './hosts.ts';
import { type LibcniPod, type Node, startNode } from './node.ts';

const missing = linux.missing ?? debianPluginsMissing();
const del = [{ command: 'del' }, { command: 'del' }, { command: 'del-without-netns' }];

describe.skipIf(missing !== undefined)('libcni 1.1.2 with the bundle on Linux and host-local', () => {
  let node: Node;
  let dataDir: string;
  beforeEach(async () => {
    node = await startNode(linux);
    dataDir = join(node.cacheDir, 'leases');
  });
  afterEach(() => node.stop());

  const hostLocal = (last = '10.244.1.254') => ({
    type: 'host-local',
    dataDir,
    ranges: [
      [{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.100', rangeEnd: last, gateway: '10.244.1.1' }],
    ],
    routes: [{ dst: '0.0.0.0/0' }],
  });
  const pod = (ipam: object, cniVersion = '1.0.0', changes: Partial<LibcniPod> = {}): LibcniPod => ({
    conflist: conflist('l2bridge', cniVersion, { ipam }),
    netns: node.hns.createNamespace(),
    morePath: [debianPlugins],
    ...changes,
  });
  const leases = () => {
    const folder = join(dataDir, 'l2bridge');
    const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.startsWith('10.'));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  };
  const lease = { '10.244.1.100': 'pod1\r\neth0' };

  /** Runs host-local with the input of docs/clusters.md, for this network and folder. */
  const reserve = () => {
    const ipam = {
      type: 'host-local',
      dataDir,
      ranges: [[{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.2', rangeEnd: '10.244.1.2' }]],
    };
    const { status, stdout } = spawnSync(join(debianPlugins, 'host-local'), {
      input: JSON.stringify({ cniVersion: '1.0.0', name: 'l2bridge', ipam }),
      env: {
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'cbr0_ep',
        CNI_NETNS: 'host',
        CNI_IFNAME: 'cbr0_ep',
        CNI_PATH: debianPlugins,
      },
      encoding: 'utf8',
    });
    expect({ status, ips: JSON.parse(stdout).ips }).toMatchObject({
      status: 0,
      ips: [{ address: '10.244.1.2/24' }],
    });
  };

  test.each(['0.2.0', '0.4.0', '1.0.0'])(
    'assigns the leased address in version %s, and DEL releases it',
    async (version) => {
      const { hns } = node;
      const attachment = pod(hostLocal(), version);
      const [added] = await node.libcni(attachment, ['add']);
      const { netns } = attachment;
      const attached = { netns, mac: onlyMac(hns), address: '10.244.1.100/24', gateway: '10.244.1.1' };
      expect(added).toMatchObject({ command: 'add', result: resultIn(version, attached) });
      expect(leases()).toEqual(lease);
      expect(hns.dump().endpoints).toMatchObject([
        {
          HostComputeNamespace: netns,
          IpConfigurations: [{ IpAddress: '10.244.1.100', PrefixLength: 24 }],
        },
      ]);
      if (['0.4.0', '1.0.0'].includes(version))
        expect(await node.libcni(attachment, ['check'])).toEqual([{ command: 'check' }]);
      expect(await node.libcni(attachment, ['del', 'del', 'del-without-netns'])).toEqual(del);
      expect(leases()).toEqual({});
      expect(hns.dump().endpoints).toEqual([]);
    },
  );

  test('reads the same CNI_ARGS: an unknown one is its error unless IgnoreUnknown is set', async () => {
    const args = [['K8S_POD_NAME', 'web-0'] as const];
    const [refused] = await node.libcni(pod(hostLocal(), '1.0.0', { args }), ['add']);
    expect(refused?.error?.text).toContain('ARGS: unknown args ["K8S_POD_NAME=web-0"]');
    expect(leases()).toEqual({});
    expect(node.hns.dump()).toMatchObject({ endpoints: [] });
    const allowed = pod(hostLocal(), '1.0.0', { args: [...args, ['IgnoreUnknown', '1']] });
    expect((await node.libcni(allowed, ['add'])).filter(({ error }) => error)).toEqual([]);
    expect(leases()).toEqual(lease);
  });

  describe('with the range that flannel passes, which begins with the address of the host endpoint', () => {
    const ipam = () => ({ type: 'host-local', dataDir, subnet: '10.244.1.0/24' });
    const onHost = () =>
      pod({}, '1.0.0', { conflist: conflist('l2bridge', '1.0.0', { ipam: ipam(), hostEndpoint: {} }) });

    test('the first ADD fails and releases that address, and the next one gets the next address', async () => {
      const [refused] = await node.libcni(onHost(), ['add']);
      expect(refused?.error?.plugin).toMatchObject({
        code: 7,
        msg: 'address 10.244.1.2 cannot be assigned: it is the gateway of network "l2bridge"',
      });
      expect(leases()).toEqual({});
      const [added] = await node.libcni(onHost(), ['add']);
      expect(added?.result100?.ips).toMatchObject([{ address: '10.244.1.3/24', gateway: '10.244.1.2' }]);
    });

    test('no ADD fails if docs/clusters.md has reserved the address', async () => {
      reserve();
      const [added] = await node.libcni(onHost(), ['add']);
      expect(added?.result100?.ips).toMatchObject([{ address: '10.244.1.3/24', gateway: '10.244.1.2' }]);
      expect(leases()).toEqual({ '10.244.1.2': 'cbr0_ep\r\ncbr0_ep', '10.244.1.3': 'pod1\r\neth0' });
    });
  });
});
