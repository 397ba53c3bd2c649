import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conflist } from './conflist.ts';
import { onlyMac } from './expected.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const subnets = [
  { subnet: '10.244.1.0/24', gateway: '10.244.1.1' },
  { subnet: 'fd00:244:1::/64', gateway: 'fd00:244:1::1' },
];
const dns = { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] };
const ip4 = { address: '10.244.1.2/24', gateway: '10.244.1.1' };
const ip6 = { address: 'fd00:244:1::2/64', gateway: 'fd00:244:1::1' };
const routes = [
  { dst: '0.0.0.0/0', gw: '10.244.1.1' },
  { dst: '::/0', gw: 'fd00:244:1::1' },
];
const old = {
  ip4: { ip: '10.244.1.2/24', gateway: '10.244.1.1', routes: [{ dst: '0.0.0.0/0', gw: '10.244.1.1' }] },
  ip6: { ip: 'fd00:244:1::2/64', gateway: 'fd00:244:1::1', routes: [{ dst: '::/0', gw: 'fd00:244:1::1' }] },
};
const middle = {
  ips: [
    { version: '4', interface: 0, ...ip4 },
    { version: '6', interface: 0, ...ip6 },
  ],
  routes,
};
const modern = {
  ips: [
    { interface: 0, ...ip4 },
    { interface: 0, ...ip6 },
  ],
  routes,
};

describe.for([linux, wine])('libcni 1.1.2 with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('for a pod of both address families', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host);
    });
    afterEach(() => node.stop());

    const versions = [
      ['0.2.0', old],
      ['0.4.0', middle],
      ['1.0.0', modern],
    ] as const;
    test.each(rowsOn(host, versions))(
      'finds both addresses in version %s, and DEL deletes both',
      async (version, addresses) => {
        const netns = node.hns.createNamespace();
        const pod = { conflist: conflist('l2bridge', version, { subnets }), netns };
        const [added] = await node.libcni(pod, ['add']);
        const interfaces = [{ name: 'eth0', mac: onlyMac(node.hns), sandbox: netns }];
        const shown = addresses === old ? {} : { interfaces };
        expect(added?.error).toBeUndefined();
        expect(added?.result).toEqual({ cniVersion: version, ...shown, ...addresses, dns });
        expect(added?.result100?.ips).toEqual(addresses === old ? [ip4, ip6] : modern.ips);
        expect(node.hns.dump().endpoints).toMatchObject([
          {
            IpConfigurations: [
              { IpAddress: '10.244.1.2', PrefixLength: 24 },
              { IpAddress: 'fd00:244:1::2', PrefixLength: 64 },
            ],
          },
        ]);
        expect(await node.libcni(pod, ['del', 'del-without-netns'])).toEqual([
          { command: 'del' },
          { command: 'del-without-netns' },
        ]);
        expect(node.hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
      },
    );
  });
});
