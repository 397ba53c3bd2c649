import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Hns } from '../simulator/hns.ts';
import { newerLibcniMissing } from './build.ts';
import { conflist, type Example } from './conflist.ts';
import { onlyMac, resultIn } from './expected.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const versions = ['0.2.0', '0.4.0', '1.1.0'];
const withCheck = ['0.4.0', '1.1.0'];
const net = { l2bridge: '10.244.1', overlay: '10.245.1' };
/** Returns an example conflist in one version: of several, this libcni chooses the newest. */
const inVersion = (name: Example, version: string, changes?: object) => ({
  ...conflist(name, version, changes),
  cniVersions: [version],
});
const names = (hns: Hns) => hns.dump().endpoints.map(({ Name }) => Name);

/** Returns the addresses of the only endpoint, in CNI's notation. */
function assigned(hns: Hns): string[] {
  const endpoints = hns.dump().endpoints as {
    IpConfigurations: { IpAddress: string; PrefixLength: number }[];
  }[];
  expect(endpoints).toHaveLength(1);
  return endpoints.flatMap(({ IpConfigurations }) =>
    IpConfigurations.map(({ IpAddress, PrefixLength }) => `${IpAddress}/${PrefixLength}`),
  );
}

describe.for([linux, wine])('libcni 1.3 with $name', (host) => {
  describe.skipIf((host.missing ?? newerLibcniMissing()) !== undefined)('for a pod', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host);
    });
    afterEach(() => node.stop());

    const cases = (['l2bridge', 'overlay'] as const).flatMap((name) =>
      rowsOn(host, versions).map((version) => ({ name, version })),
    );
    test.each(cases)(
      'adds, checks and deletes it on $name in version $version',
      async ({ name, version }) => {
        const { hns } = node;
        const netns = hns.createNamespace();
        const pod = { conflist: inVersion(name, version), netns };
        const [added] = await node.newerLibcni(pod, ['add']);
        const address = `${net[name]}.2/24`;
        const attached = { netns, mac: onlyMac(hns), address, gateway: `${net[name]}.1` };
        expect(added?.error).toBeUndefined();
        expect(added?.result).toEqual({ ...resultIn(version, attached), cniVersion: version });
        expect(added?.result100?.ips?.map((ip) => ip.address)).toEqual(assigned(hns));
        expect(assigned(hns)).toEqual([address]);

        const unsupported = `configuration version "${version}" does not support the CHECK command`;
        const [checked, ...deleted] = await node.newerLibcni(pod, ['check', 'del', 'del-without-netns']);
        expect(checked).toEqual(
          withCheck.includes(version)
            ? { command: 'check' }
            : { command: 'check', error: { text: unsupported } },
        );
        expect(deleted).toEqual([{ command: 'del' }, { command: 'del-without-netns' }]);
        expect(hns.dump()).toMatchObject({ networks: [{ Name: name }], endpoints: [] });
        await expect.poll(() => hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
      },
    );

    test('gets success from STATUS while HNS runs, and code 50 when it is stopped', async () => {
      const pod = { conflist: inVersion('l2bridge', '1.1.0'), netns: '' };
      expect(await node.newerLibcni(pod, ['version', 'status'])).toEqual([
        { command: 'version', versions: expect.arrayContaining(versions) },
        { command: 'status' },
      ]);
      expect(node.hns.calls.map((call) => call.function)).toEqual(['HcnOpenNetwork', 'HcnEnumerateNetworks']);
      await node.hns.stop();
      const [stopped] = await node.newerLibcni(pod, ['status']);
      expect(stopped?.error?.plugin).toMatchObject({ code: 50, msg: expect.stringMatching(/./) });
    });

    test('deletes invalid attachments with GC, whether they are in its cache or not', async () => {
      const { hns } = node;
      const list = inVersion('l2bridge', '1.1.0');
      const pod = (containerId: string) => ({ conflist: list, containerId, netns: hns.createNamespace() });
      const valid = pod('valid');
      await node.newerLibcni(valid, ['add']);
      await node.newerLibcni(pod('remembered'), ['add']);
      await node.newerLibcni({ ...pod('forgotten'), cacheDir: `${node.cacheDir}/other` }, ['add']);
      expect(names(hns)).toEqual([
        'valid_l2bridge_eth0',
        'remembered_l2bridge_eth0',
        'forgotten_l2bridge_eth0',
      ]);

      const [kept] = hns.dump().endpoints;
      const validAttachments = [{ containerID: 'valid', ifname: 'eth0' }];
      expect(await node.newerLibcni({ ...valid, validAttachments }, ['gc'])).toEqual([{ command: 'gc' }]);
      expect(hns.dump().endpoints).toEqual([kept]);
      expect(await node.newerLibcni(valid, ['check', 'del'])).toEqual([
        { command: 'check' },
        { command: 'del' },
      ]);
      expect(hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
    });
  });
});
