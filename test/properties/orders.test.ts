import { describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { inEveryOrder } from './every-order.ts';
import { type Command, type Played, play } from './ordered-commands.ts';

const named = (name: string, more: object = {}) =>
  example(name, { cniVersion: '1.1.0', ipam: { type: 'test-ipam' }, ...more });
const config = named('l2bridge');
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

interface Scene {
  readonly before?: readonly Command[];
  readonly commands: readonly Command[];
}

/** Plays a scene in every order of its calls, and with every choice of at most one moment at which another command goes on. */
async function playAll(scene: Scene, orders: number): Promise<readonly Played[]> {
  const all: Played[] = [];
  const count = await inEveryOrder({ orders, switches: 1 }, async (choose) => {
    all.push(await play(scene, choose));
  });
  expect(count).toBe(orders);
  return all;
}

const network = 'network l2bridge';
const routesTo = (...routes: readonly string[]) =>
  ['10.244.1.0/24 via 0.0.0.0', '10.244.1.2/32 via 0.0.0.0', ...routes].map((route) => `route to ${route}`);

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
