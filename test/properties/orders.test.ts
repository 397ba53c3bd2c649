import { describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { inEveryOrder } from './every-order.ts';
import { type Command, type Played, play } from './ordered-commands.ts';
import type { Refusal } from './scheduler.ts';

const named = (name: string, more: object = {}) =>
  example(name, { cniVersion: '1.1.0', ipam: { type: 'test-ipam' }, ...more });
const config = named('l2bridge');
const { ipam: _, ...withoutIpam } = config;
const withHostEndpoint = named('l2bridge-host-endpoint');
const withRoutes = named('static-routes');
const overlay = named('static-overlay');
const moved = named('static-routes', {
  remoteSubnets: [
    { subnet: '10.244.2.0/24', nextHop: '10.0.0.55' },
    { subnet: '10.244.4.0/24', nextHop: '10.0.0.7' },
  ],
});

const command = (name: Command['command'], containerId = 'pod', used = config): Command => ({
  command: name,
  containerId,
  config: used,
});
const collect = (...valid: readonly string[]): Command => {
  const attachments = valid.map((containerID) => ({ containerID, ifname: 'eth0' }));
  return command('GC', 'pod', { ...config, 'cni.dev/valid-attachments': attachments });
};

/** The nth call of a function is refused: with E_FAIL, with ERROR_ACCESS_DENIED by Windows, or with exit code 1 of the IPAM plugin. */
type Refused = readonly [name: string, nth: number];

function refusalOf([name, nth]: Refused): Refusal {
  let met = 0;
  return (called) => {
    if (called !== name) return undefined;
    met += 1;
    if (met !== nth) return undefined;
    if (called.startsWith('Hcn')) return 0x80004005;
    return called.startsWith('IPAM') ? 1 : 5;
  };
}

interface Scene {
  readonly before?: readonly Command[];
  readonly commands: readonly Command[];
  readonly refused?: Refused;
  readonly switches?: NonNullable<HnsOptions['switches']>;
}

/** Plays a scene in every order of its calls, and with every choice of at most one moment at which another command goes on. */
async function playAll({ refused, ...scene }: Scene, orders: number): Promise<readonly Played[]> {
  const all: Played[] = [];
  const count = await inEveryOrder({ orders, switches: 1 }, async (choose) => {
    all.push(await play({ ...scene, ...(refused && { refusal: refusalOf(refused) }) }, choose));
  });
  expect(count).toBe(orders);
  return all;
}

const [network, pod, address] = ['network l2bridge', 'endpoint pod_l2bridge_eth0', 'address of pod'];
const created = ['IPAM ADD', 'HcnCreateNetwork', 'HcnCreateEndpoint', 'HcnModifyNamespace'];
const forwarding = ['enableForwarding', 'enableForwarding', 'removeDefaultRoutes'];
const deleted = ['HcnModifyNamespace', 'HcnDeleteEndpoint'];
const routesTo = (...routes: readonly string[]) =>
  ['10.244.1.0/24 via 0.0.0.0', '10.244.1.2/32 via 0.0.0.0', ...routes].map((route) => `route to ${route}`);

/** A command alone: how many orders its calls can take effect in, its changes, the code of its error (0 is success), and what is left. */
interface Row extends Scene {
  readonly orders: number;
  readonly changes: readonly string[];
  readonly code: number;
  readonly left: readonly string[];
}

describe('in every order of its calls, a command makes its changes one after the other, and ends after them', () => {
  const added = { before: [command('ADD')] };
  const failed = { ...command('DEL', 'pod', withoutIpam), refused: 'HcnDeleteEndpoint' };
  const routed = { before: [command('ADD', 'pod', withRoutes)] };
  test.each<[string, Row]>([
    [
      'ADD',
      { commands: [command('ADD')], orders: 4, changes: created, code: 0, left: [address, pod, network] },
    ],
    [
      'ADD whose IPAM plugin fails',
      {
        commands: [command('ADD')],
        refused: ['IPAM ADD', 1],
        orders: 4,
        changes: ['IPAM ADD', 'IPAM DEL'],
        code: 103,
        left: [],
      },
    ],
    [
      'ADD whose first endpoint is refused',
      {
        commands: [command('ADD')],
        refused: ['HcnCreateEndpoint', 1],
        orders: 4,
        changes: [...created.slice(0, 3), 'HcnCreateEndpoint', 'HcnModifyNamespace'],
        code: 0,
        left: [address, pod, network],
      },
    ],
    [
      'ADD that is refused last',
      {
        commands: [command('ADD')],
        refused: ['HcnModifyNamespace', 1],
        orders: 4,
        changes: [...created, 'HcnDeleteEndpoint', 'IPAM DEL'],
        code: 100,
        left: [network],
      },
    ],
    [
      'ADD that replaces the leftover of a DEL that failed',
      {
        before: [command('ADD'), { ...command('DEL'), refused: 'HcnDeleteEndpoint' }],
        commands: [command('ADD')],
        orders: 3,
        changes: [
          ...['IPAM ADD', 'HcnDeleteEndpoint', 'IPAM DEL'],
          ...['IPAM ADD', 'HcnCreateEndpoint', 'HcnModifyNamespace'],
        ],
        code: 0,
        left: [address, pod, network],
      },
    ],
    [
      'ADD that replaces such a leftover where HNS chooses ids',
      {
        before: [command('ADD', 'pod', withoutIpam), failed],
        commands: [command('ADD', 'pod', withoutIpam)],
        switches: { callerIds: 'ignored' },
        orders: 5,
        changes: ['HcnCreateEndpoint', 'HcnDeleteEndpoint', 'HcnModifyNamespace'],
        code: 0,
        left: [pod, network],
      },
    ],
    [
      'ADD with a host endpoint that is refused last',
      {
        commands: [command('ADD', 'pod', withHostEndpoint)],
        refused: ['HcnModifyNamespace', 2],
        orders: 20,
        changes: [
          ...[...created, ...forwarding, 'HcnCreateEndpoint', 'HcnModifyNamespace'],
          ...['HcnDeleteEndpoint', 'IPAM DEL'],
        ],
        code: 100,
        left: [
          'endpoint cbr0_ep',
          'network cbr0',
          'route to 10.244.2.0/24 via 0.0.0.0',
          'route to 10.244.2.2/32 via 0.0.0.0',
        ],
      },
    ],
    [
      'ADD with remote subnets that is refused last',
      {
        commands: [command('ADD', 'pod', overlay)],
        refused: ['HcnModifyNamespace', 1],
        orders: 5,
        changes: [
          ...['IPAM ADD', 'HcnCreateNetwork', ...Array<string>(3).fill('HcnModifyNetwork')],
          ...['HcnCreateEndpoint', 'HcnModifyNamespace'],
          ...['HcnDeleteEndpoint', 'IPAM DEL'],
        ],
        code: 100,
        left: ['network pods'],
      },
    ],
    [
      'DEL',
      {
        ...added,
        commands: [command('DEL')],
        orders: 1,
        changes: [...deleted, 'IPAM DEL'],
        code: 0,
        left: [network],
      },
    ],
    [
      'GC of two attachments, the first of which is refused',
      {
        before: [command('ADD'), command('ADD', 'b')],
        commands: [collect()],
        refused: ['HcnDeleteEndpoint', 1],
        orders: 1,
        changes: [...deleted, ...deleted, 'IPAM GC'],
        code: 100,
        left: [network, `unattached ${pod}`],
      },
    ],
    [
      'network sync',
      {
        ...routed,
        commands: [command('network sync', 'pod', moved)],
        orders: 1,
        changes: ['deleteRoute', 'deleteRoute', 'createRoute', 'createRoute'],
        code: 0,
        left: [
          ...[address, 'endpoint pod_pods_eth0', 'endpoint pods_ep', 'network pods'],
          ...routesTo('10.244.2.0/24 via 10.0.0.55', '10.244.4.0/24 via 10.0.0.7'),
        ],
      },
    ],
  ])('%s', async (_, { orders, changes, code, left, ...scene }) => {
    const all = await playAll(scene, orders);
    for (const { leftByDel: _, ...played } of all)
      expect(played).toEqual({ codes: [code], changes: [changes], overtakings: [], left });
  });
});

/** Commands at once: the number of orders, the pairs of codes that they may return, and what a DEL of the pod leaves. */
interface Pair extends Scene {
  readonly orders: number;
  readonly codes: readonly (readonly [number, number])[];
  readonly leftByDel: readonly (readonly string[])[];
}

describe('in every order with one change between two commands at once, a DEL afterwards leaves nothing', () => {
  const b = ['address of b', 'endpoint b_l2bridge_eth0', network];
  const both = { before: [command('ADD', 'b'), command('ADD')] };
  test.each<[string, Pair]>([
    [
      'ADD and ADD of an attachment',
      {
        before: [command('ADD', 'b')],
        commands: [command('ADD'), command('ADD')],
        orders: 72,
        codes: [
          [0, 101],
          [101, 0],
          [0, 100],
          [100, 0],
        ],
        leftByDel: [b],
      },
    ],
    [
      'ADD and DEL of an attachment that creates the network',
      {
        commands: [command('ADD'), command('DEL')],
        orders: 52,
        codes: [
          [0, 0],
          [11, 0],
          [100, 0],
        ],
        leftByDel: [[network], []],
      },
    ],
    [
      'ADD and GC that does not know the attachment',
      {
        before: [command('ADD', 'b')],
        commands: [command('ADD'), collect('b')],
        orders: 24,
        codes: [
          [0, 0],
          [11, 0],
          [100, 0],
        ],
        leftByDel: [b],
      },
    ],
    [
      'ADD and GC that knows the attachment',
      {
        before: [command('ADD', 'b')],
        commands: [command('ADD'), collect('b', 'pod')],
        orders: 24,
        codes: [[0, 0]],
        leftByDel: [b],
      },
    ],
    [
      'DEL and DEL',
      { ...both, commands: [command('DEL'), command('DEL')], orders: 5, codes: [[0, 0]], leftByDel: [b] },
    ],
    [
      'network ensure twice',
      {
        commands: [command('network ensure', 'pod', overlay), command('network ensure', 'pod', overlay)],
        orders: 11,
        codes: [[0, 0]],
        leftByDel: [['network pods']],
      },
    ],
    [
      'network sync twice',
      {
        before: [command('ADD', 'pod', withRoutes)],
        commands: [command('network sync', 'pod', moved), command('network sync', 'pod', moved)],
        orders: 9,
        codes: [[0, 0]],
        leftByDel: [
          [
            ...['endpoint pods_ep', 'network pods'],
            ...routesTo('10.244.2.0/24 via 10.0.0.55', '10.244.4.0/24 via 10.0.0.7'),
          ],
        ],
      },
    ],
  ])('%s', async (_, { orders, codes, leftByDel, ...scene }) => {
    for (const played of await playAll(scene, orders)) {
      expect(played.overtakings).toEqual([]);
      expect(codes).toContainEqual(played.codes);
      expect(leftByDel).toContainEqual(played.leftByDel);
    }
  });

  test('ADD and ADD of two pods: each has its endpoint and address', async () => {
    const commands = [command('ADD'), command('ADD', 'b')];
    for (const { codes, left } of await playAll({ before: [command('ADD', 'c')], commands }, 72)) {
      expect(codes).toEqual([0, 0]);
      expect(left).toEqual([
        ...['b', 'c', 'pod'].map((name) => `address of ${name}`),
        ...['b', 'c', 'pod'].map((name) => `endpoint ${name}_l2bridge_eth0`),
        network,
      ]);
    }
  });
});
