import { describe, expect, test } from 'vitest';
import { reservedSourceVip, sourceVipSystem } from '../../../../src/cli/network/source-vip-ipam.ts';
import { readSourceVipRelease, sourceVipReleaseIn } from '../../../../src/cli/network/source-vip-release.ts';
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

  test('by the IPAM plugin in the entry of win-hcn, as the file of the network has it', () => {
    const list = {
      cniVersion: '1.0.0',
      name: 'vxlan0',
      plugins: [{ type: 'portmap', sourceVip: true }, config()],
    };
    const files = { ...reservation, 'net.conflist': JSON.stringify(list), 'bad.conf': '[]' };
    const read = (file: string) => readSourceVipRelease(file, {}, sessionWith(files));
    expect([read('net.conflist')?.plugin, read('bad.conf')]).toEqual(['host-local', undefined]);
  });
});

describe('host-local has reserved for a source VIP', () => {
  test.each<[string, Readonly<Record<string, string>>, object]>([
    ['the address of its container and interface', reservation, { is: 'reserved', address: '10.244.1.10' }],
    ['nothing', {}, { is: 'absent' }],
    [
      'nothing of a pod or of another interface',
      { [`${folder}\\10.244.1.2`]: 'c0ffee\r\nsource-vip', [`${folder}\\10.244.1.3`]: 'kube-proxy\r\neth0' },
      { is: 'absent' },
    ],
  ])('%s', (_, files, expected) => {
    expect(reservedSourceVip(config(), sessionWith(files))).toEqual(expected);
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
