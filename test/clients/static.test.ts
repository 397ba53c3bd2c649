import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conflist } from './conflist.ts';
import { debianPlugins, debianPluginsMissing } from './debian-plugins.ts';
import { onlyMac } from './expected.ts';
import { linux } from './hosts.ts';
import { type LibcniPod, type Node, startNode } from './node.ts';

const missing = linux.missing ?? debianPluginsMissing();
const del = [{ command: 'del' }, { command: 'del' }, { command: 'del-without-netns' }];

describe.skipIf(missing !== undefined)('libcni 1.1.2 with the bundle on Linux and static', () => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode(linux);
  });
  afterEach(() => node.stop());

  const pod = (ipam: object, changes: Partial<LibcniPod>): LibcniPod => ({
    conflist: conflist('l2bridge', '1.0.0', { ipam }),
    netns: node.hns.createNamespace(),
    morePath: [debianPlugins],
    ...changes,
  });

  const routes = [{ dst: '0.0.0.0/0' }, { dst: '10.99.0.0/16', gw: '10.244.1.9' }];
  const configured = {
    type: 'static',
    addresses: [{ address: '10.244.1.77/24', gateway: '10.244.1.1' }],
    routes,
  };
  const asked = { type: 'static', routes };
  const args = [
    ['IP', '10.244.1.77/24'],
    ['GATEWAY', '10.244.1.1'],
  ] as const;

  test.each([
    ['its configuration', configured, {}],
    ['CNI_ARGS', asked, { args }],
  ])('assigns the address, gateway and routes from %s', async (_, ipam, changes) => {
    const attachment = pod(ipam, changes);
    const [added, checked] = await node.libcni(attachment, ['add', 'check']);
    expect(added?.result).toEqual({
      cniVersion: '1.0.0',
      interfaces: [{ name: 'eth0', mac: onlyMac(node.hns), sandbox: attachment.netns }],
      ips: [{ interface: 0, address: '10.244.1.77/24', gateway: '10.244.1.1' }],
      routes: [
        { dst: '0.0.0.0/0', gw: '10.244.1.1' },
        { dst: '10.99.0.0/16', gw: '10.244.1.9' },
      ],
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
    });
    expect(checked).toEqual({ command: 'check' });
    expect(node.hns.dump().endpoints).toMatchObject([
      {
        IpConfigurations: [{ IpAddress: '10.244.1.77', PrefixLength: 24 }],
        Routes: [
          { NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' },
          { NextHop: '10.244.1.9', DestinationPrefix: '10.99.0.0/16' },
        ],
      },
    ]);
    expect(await node.libcni(attachment, ['del', 'del', 'del-without-netns'])).toEqual(del);
    expect(node.hns.dump().endpoints).toEqual([]);
  });
});
