import { describe, expect, test } from 'vitest';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { endpointId } from '../../../../src/model/identity.ts';
import type { CliEnvironment } from '../../../e2e/cli/run-cli.ts';
import { changesIn, type SmallHcnOptions } from '../../hcn/small-hcn.ts';
import { cliNode } from '../node-without-hns.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = {
  ID: '11111111-0000-4000-8000-000000000001',
  Name: 'l2bridge',
  Type: 'L2Bridge',
  SchemaVersion,
};
const overlay = { ...network, ID: '22222222-0000-4000-8000-000000000002', Name: 'overlay', Type: 'Overlay' };
const idOf = (containerId: string, of = 'l2bridge') =>
  endpointId({ containerId, ifname: 'eth0', network: of });
const leftover = (
  container: string,
  address: string,
  more: Partial<ObservedEndpoint> = {},
): ObservedEndpoint => ({
  ID: idOf(container),
  Name: `${container}_l2bridge_eth0`,
  HostComputeNetwork: network.ID,
  IpConfigurations: [{ IpAddress: address, PrefixLength: 24 }],
  SchemaVersion,
  ...more,
});
const foreign = leftover('c0ffee', '10.244.1.4', {
  ID: '33333333-0000-4000-8000-000000000003',
  Name: 'c0ffee_l2bridge',
  State: 1,
});
const remote = leftover('', '10.244.2.9', {
  ID: '44444444-0000-4000-8000-000000000004',
  Name: 'Ethernet',
  Flags: 1,
});
const folder = 'C:\\var\\lib\\cni\\networks';
const today = new Date('2026-03-01T12:00:00.000Z');

interface Given extends CliEnvironment {
  readonly objects?: SmallHcnOptions;
  /** The content of host-local's files, by network and address, a day old. */
  readonly reserved?: Readonly<Record<string, string>>;
  readonly recent?: Readonly<Record<string, string>>;
}

/** Runs `gc` on a node where waiting takes no time. */
async function gc(words: string, { objects = {}, reserved = {}, recent = {}, ...environment }: Given = {}) {
  const waits: number[] = [];
  const placed = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([name, text]) => [`${folder}\\${name}`, text]));
  const files = { ...placed(reserved), ...placed(recent), ...environment.files };
  const modified = Object.fromEntries(Object.keys(placed(recent)).map((path) => [path, today]));
  const node = cliNode({ networks: [network, overlay], ...objects });
  const printed = await node.run(['gc', words].filter(Boolean).join(' '), {
    ...environment,
    files,
    modified,
    system: {
      clock: () => today,
      executable: '/opt/cni/bin/win-hcn.exe',
      timer: (milliseconds, call) => {
        if (milliseconds === 5000) {
          waits.push(milliseconds);
          queueMicrotask(call);
        }
        return { cancel: () => undefined };
      },
      ...environment.system,
    },
  });
  const deleted = changesIn(node.calls).map((call) => call.replace('delete Endpoint ', ''));
  return { ...printed, deleted, waits };
}

const gone = idOf('gone');
const endpoints = [leftover('gone', '10.244.1.2'), foreign, remote];
const objects = { endpoints };
const ofWinHcn = { endpoints: endpoints.slice(0, 1) };
const header =
  'endpoint  pod     interface  network   addresses      owner           leftover         with --yes';
const ofGone =
  'f472cb12  gone    eth0       l2bridge  10.244.1.2/24  win-hcn         in no namespace  deleted';
const onlyGone = [
  'endpoint  pod   interface  network   addresses      owner    leftover         with --yes',
  'f472cb12  gone  eth0       l2bridge  10.244.1.2/24  win-hcn  in no namespace  deleted',
  '',
];
const ofOther = '33333333  c0ffee  -          l2bridge  10.244.1.4/24  another plugin  in no namespace';
const apply = 'No changes made. Rerun with --yes to apply.';
const otherKept = '1 endpoint of other plugins kept: include with --other-plugins';
const recentKept = (count: number) =>
  `${count} leftovers left out: an ADD of the last 11 minutes may need them`;
const waiting = 'waiting 5 s: the endpoint of an ADD in progress is in no namespace for a moment';
const unused = 'Unused reservations of host-local:';
const remedy =
  'To release an address, run win-hcn debug cni del --conf FILE --container ID --ifname INTERFACE, which runs host-local. While no pod is starting, you can also delete the files. -o wide shows IDs and files.';
const deletion = `1. delete endpoint ${gone} (gone/eth0 on l2bridge, 10.244.1.2/24): in no namespace`;

interface Expected {
  readonly exitCode?: number;
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
  readonly deleted?: readonly string[];
  readonly waits?: readonly number[];
}

const config = (more: object = {}) => ({
  'n.conf': JSON.stringify({
    cniVersion: '1.0.0',
    name: 'l2bridge',
    type: 'win-hcn',
    networkType: 'L2Bridge',
    subnets: [{ subnet: '10.244.1.0/24' }],
    ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
    ...more,
  }),
});
describe('gc', () => {
  test.each<[string, string, Given, Expected]>([
    ['finds nothing', '', {}, { stdout: ['No leftovers found.'] }],
    ['deletes nothing', '--yes', {}, { stdout: ['Nothing to delete.'] }],
    [
      'finds endpoints of win-hcn and of other plugins, and changes nothing',
      '',
      { objects },
      {
        exitCode: 1,
        stdout: [header, ofGone, `${ofOther}  kept`, '', apply],
        stderr: [otherKept],
      },
    ],
    [
      'finds leftovers on one network',
      '--network overlay',
      { objects, reserved: { 'l2bridge\\10.244.1.9': 'x\r\neth0' } },
      { stdout: ['No leftovers found.'] },
    ],
    [
      'reports an unknown network',
      '--network other',
      { objects },
      {
        exitCode: 1,
        stdout: [],
        stderr: ['win-hcn: HCN has no network "other". List networks with win-hcn ls networks.'],
      },
    ],
    [
      'finds unused reservations of every network, and keeps recent ones',
      '',
      {
        objects: ofWinHcn,
        reserved: {
          'l2bridge\\10.244.1.2': 'gone\r\neth0',
          'l2bridge\\10.244.1.3': '',
          'overlay\\10.0.0.9': 'x\r\nnet1',
        },
        recent: { 'l2bridge\\10.244.1.8': 'young\r\neth0', 'l2bridge\\10.244.1.10': '' },
      },
      {
        exitCode: 1,
        stdout: [
          ...onlyGone,
          unused,
          'address     container  interface  network   leftover',
          '10.244.1.2  gone       eth0       l2bridge  its endpoint is left over',
          '10.244.1.3  -          -          l2bridge  its file is empty and no endpoint has it',
          '10.0.0.9    x          net1       overlay   its container has no endpoint and no namespace',
          '',
          remedy,
          '',
          apply,
        ],
        stderr: [recentKept(2)],
      },
    ],
    [
      'keeps the endpoint and every address of a container with a recent one',
      '',
      {
        objects: ofWinHcn,
        reserved: { 'l2bridge\\10.244.1.3': 'young\r\nnet1', 'overlay\\10.0.0.9': 'young\r\neth0' },
        recent: { 'l2bridge\\10.244.1.2': 'GONE\r\neth0', 'l2bridge\\10.244.1.8': 'Young\r\neth0' },
      },
      {
        exitCode: 1,
        stdout: [
          unused,
          'address   container  interface  network  leftover',
          '10.0.0.9  young      eth0       overlay  its container has no endpoint and no namespace',
          '',
          remedy,
        ],
        stderr: [recentKept(3)],
      },
    ],
    [
      'deletes endpoints of win-hcn after a moment, and prints the reservations that it keeps',
      '--yes',
      {
        objects,
        reserved: { 'l2bridge\\10.244.1.2': 'gone\r\neth0' },
      },
      {
        stdout: [
          deletion,
          '   deleted',
          '',
          '1 deleted',
          '',
          unused,
          'address     container  interface  network   leftover',
          '10.244.1.2  gone       eth0       l2bridge  its endpoint is left over',
          '',
          remedy,
        ],
        stderr: [waiting, otherKept],
        deleted: [gone],
        waits: [5000],
      },
    ],
    [
      'finds the leftovers of a configuration, in its folder of host-local',
      '--conf n.conf',
      {
        objects: ofWinHcn,
        files: {
          ...config({ ipam: { type: 'host-local', dataDir: '/run/ipam' } }),
          'C:\\run\\ipam\\l2bridge\\10.244.1.9': 'longgone\r\neth0',
          'C:\\run\\ipam\\overlay\\10.0.0.9': 'longgone\r\neth0',
        },
        reserved: { 'l2bridge\\10.244.1.3': 'x\r\neth0' },
      },
      {
        exitCode: 1,
        stdout: [
          ...onlyGone,
          unused,
          'address     container  interface  network   leftover',
          '10.244.1.9  longgone   eth0       l2bridge  its container has no endpoint and no namespace',
          '',
          remedy,
          '',
          apply,
        ],
      },
    ],
    [
      'finds no reservations of another IPAM plugin',
      '--conf n.conf',
      {
        files: config({ ipam: { type: 'azure-vnet-ipam' } }),
        reserved: { 'l2bridge\\10.244.1.9': 'x\r\neth0' },
      },
      { stdout: ['No leftovers found.'] },
    ],
    [
      'refuses a list without a plugin of win-hcn',
      '--conf n.conf',
      { files: { 'n.conf': '{"name":"n","plugins":[{"type":"bridge"}]}' } },
      {
        exitCode: 2,
        stderr: ['win-hcn: n.conf has no plugin for win-hcn (plugins: bridge)'],
      },
    ],
  ])('%s', async (_, words, given, expected) => {
    const { stdout, stderr, ...rest } = await gc(words, given);
    const lines = (text: string) => text.split('\n').slice(0, -1);
    expect({ ...rest, stdout: lines(stdout), stderr: lines(stderr) }).toEqual({
      exitCode: 0,
      stdout: [],
      stderr: [],
      deleted: [],
      waits: [],
      ...expected,
    });
  });

  test('prints one document with --yes -o json', async () => {
    const { stdout, stderr, exitCode } = await gc('--yes --other-plugins -o json', {
      objects,
      reserved: { 'l2bridge\\10.244.1.3': '' },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `${waiting}\n` });
    expect(JSON.parse(stdout)).toMatchObject({
      endpoints: [
        { id: gone, outcome: 'deleted' },
        { id: foreign.ID, outcome: 'deleted' },
      ],
      reservations: [{ address: '10.244.1.3' }],
    });
  });
});
