import { describe, expect, test } from 'vitest';
import { sourceVipReleaseIn, sourceVipSystem } from '../../../../src/cli/network/source-vip-ipam.ts';
import { newSession } from '../../../../src/cli/terminal/session.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import type { JsonObject } from '../../../../src/json/members.ts';
import { system } from '../../../../src/system.ts';

const executable = 'C:\\opt\\cni\\bin\\win-hcn.exe';
const config = (changes: object = {}): JsonObject => ({
  cniVersion: '1.0.0',
  name: 'vxlan0',
  type: 'win-hcn',
  networkType: 'Overlay',
  ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] },
  sourceVip: true,
  ...changes,
});
const folder = 'C:\\var\\lib\\cni\\networks\\vxlan0';

/** A session on a node with these files. */
function sessionWith(files: Readonly<Record<string, string>>) {
  const names = Object.keys(files);
  return newSession(
    { ...system, executable, windows: true, environment: {} },
    {
      ...terminal,
      width: undefined,
      readFile: (path) => {
        const text = files[path];
        if (text === undefined) throw new Error(`no file ${path}`);
        return new TextEncoder().encode(text);
      },
      readEnd: (path) => {
        const bytes = new TextEncoder().encode(files[path]);
        return { bytes, size: bytes.length, modified: new Date(0) };
      },
      listFolder: (path) =>
        names.filter((name) => name.startsWith(`${path}\\`)).map((name) => name.slice(path.length + 1)),
    },
    () => undefined,
  );
}
const reservation = { [`${folder}\\10.244.1.10`]: 'kube-proxy\r\nsource-vip' };
const release = (files: Readonly<Record<string, string>>, ...configs: readonly JsonObject[]) => {
  const found = sourceVipReleaseIn(configs, {}, sessionWith(files));
  return found && { plugin: found.plugin, reserved: found.reserved };
};

describe('the address of a source VIP is released', () => {
  test.each<[string, readonly JsonObject[], object | undefined]>([
    [
      'by the IPAM plugin',
      [config()],
      { plugin: 'host-local', reserved: { is: 'reserved', address: '10.244.1.10' } },
    ],
    [
      'by that of the first configuration with a source VIP',
      [
        config({ sourceVip: false }),
        config({ SourceVIP: true, sourceVip: undefined }),
        config({ ipam: { type: 'static' } }),
      ],
      { plugin: 'host-local', reserved: { is: 'reserved', address: '10.244.1.10' } },
    ],
    [
      'by another IPAM plugin, whose reservations are unknown',
      [config({ ipam: { type: 'static' } })],
      { plugin: 'static', reserved: { is: 'unknown' } },
    ],
    [
      'not without a source VIP',
      [config({ sourceVip: undefined }), config({ sourceVip: 'true' })],
      undefined,
    ],
    ['not without an IPAM plugin', [config({ ipam: {} })], undefined],
    ['not without a configuration', [], undefined],
  ])('%s', (_, configs, expected) => {
    expect(release(reservation, ...configs)).toEqual(expected);
  });
});

describe('the IPAM plugin of a source VIP runs', () => {
  const environment = { PATH: 'C:\\Windows', CNI_ARGS: 'K8S_POD_NAME=web', CNI_COMMAND: 'ADD' };
  const given = { ...system, executable, environment };

  test('for one container, interface and namespace', () => {
    expect(sourceVipSystem(given, { cniPath: 'D:\\cni' }).environment).toEqual({
      PATH: 'C:\\Windows',
      CNI_PATH: 'D:\\cni',
      CNI_CONTAINERID: 'kube-proxy',
      CNI_NETNS: 'kube-proxy',
      CNI_IFNAME: 'source-vip',
    });
  });

  test('with the address that it is to assign', () => {
    expect(sourceVipSystem(given, { cniPath: 'D:\\cni' }, '10.244.1.10').environment).toMatchObject({
      CNI_ARGS: 'IgnoreUnknown=1;IP=10.244.1.10',
    });
  });
});
