import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HcnInterceptor } from '../../src/hcn/library.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { hresultOf } from '../simulator/hresults.ts';
import { runCli } from './cli/run-cli.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type HostLocalStore, hostLocal, hostLocalStore } from './host-local-store.ts';
import { codeOf } from './matrix/request.ts';
import { type Call, type Node, startNode } from './node.ts';

const config = example('l2bridge', { cniVersion: '1.1.0', ipam: { type: 'test-ipam' } });

/** The calls of an ADD. */
const calls = [
  'HcnOpenNetwork',
  'HcnOpenNamespace',
  'HcnQueryNetworkProperties',
  'HcnCreateEndpoint',
  'HcnQueryEndpointProperties',
  'HcnModifyNamespace',
];
const everyMoment = calls.flatMap((name, index) =>
  (['before', 'after'] as const).map((when) => ({ when, name, ordinal: index + 1 })),
);

let node: Node;
let call: Call;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config, node.newPod('neighbour'));
  call = { config, pod: node.newPod('pod') };
});
afterEach(() => node.stop());

const attached = () =>
  node.hns.dump().endpoints.find(({ Name }) => Name === 'pod_l2bridge_eth0')?.['HostComputeNamespace'];
const leases = () => [...node.ipam.leases.keys()];

const found = () => ({ isAttached: attached() === call.pod.netns, isLeased: leases().includes('pod eth0') });
const works = { isAttached: true, isLeased: true };

describe('gc --ipam --yes during an ADD', () => {
  let store: HostLocalStore;
  beforeEach(async () => {
    store = hostLocalStore(node);
    call = { ...call, config: { ...config, ipam: hostLocal } };
    store.run('ADD', 'gone');
    store.files['l2bridge.conf'] = JSON.stringify(call.config);
  });
  const timer: NonNullable<Node['outside']['timer']> = (milliseconds, then) => {
    if (milliseconds === 5000) setImmediate(then);
    return { cancel: () => undefined };
  };
  const byHand = () =>
    runCli(['gc', '--conf', 'l2bridge.conf', '--ipam', '--yes'], {
      ...store,
      system: { ...node.outside, executable: '/opt/cni/bin/win-hcn.exe', timer },
    });

  /** The ADD's code, and what it left, for an ADD that is held for this long at each moment while gc runs. */
  const outcomes = async (seconds: number) => {
    const rows: (readonly [string, number, object])[] = [];
    for (const { when, name, ordinal } of everyMoment) {
      const standing = node.hns.nextStanding();
      node.hns.inject({ ordinal, effect: { hold: when } });
      const adding = node.cni('ADD', call);
      await standing;
      store.pass(seconds);
      expect(await byHand()).toMatchObject({ exitCode: 0 });
      node.hns.release();
      rows.push([`${when} ${name}`, codeOf(await adding), found()]);
      await node.cni('DEL', call);
      store.pass(-seconds);
    }
    return rows;
  };
  const expected = (of: (moment: string) => readonly [number, object]) =>
    everyMoment.map(({ when, name }) => [`${when} ${name}`, ...of(`${when} ${name}`)]);
  test.each([0, 41, 600, -600])('for %i s releases no address of the ADD, at any moment', async (seconds) => {
    expect(await outcomes(seconds)).toEqual(expected(() => [0, works]));
  });
});

/** The runtime has ended the first ADD, whose process still runs. */
describe('an ADD that is late, after a DEL and another ADD of its attachment,', () => {
  const prints = {
    print: () => {
      throw new Error('EPIPE');
    },
  };
  const attaches = 'HcnModifyNamespace';
  /** HNS makes the first such change, and its response is lost. */
  const loses = (name: string) => {
    let isLost = false;
    const intercept: HcnInterceptor = async (made, make) => {
      const response = await make();
      if (isLost || made.name !== name) return response;
      isLost = true;
      return { ...response, hresult: hresultOf('RPC_S_CALL_FAILED') };
    };
    return { intercept };
  };
  test.each<[string, 'host-local' | 'another', string, Partial<Call>, number, HnsOptions['switches']?]>([
    ['fails for its released address', 'host-local', attaches, {}, 11],
    ['fails to print its result', 'host-local', attaches, prints, 11],
    ['fails to print its result', 'another', attaches, prints, 5, { callerIds: 'ignored' }],
    ['succeeds', 'another', attaches, {}, 0],
    ['loses the response to its attachment', 'host-local', attaches, loses(attaches), 11],
    ['loses the response to its creation', 'host-local', 'HcnCreateEndpoint', loses('HcnCreateEndpoint'), 11],
  ])(
    '%s with %s IPAM plugin, and keeps the endpoint and the address of the other',
    async (_, ipam, held, deviation, code, switches) => {
      if (switches !== undefined) {
        await node.stop();
        node = await startNode({ switches }, () => hastyClock(1));
        await node.add(config, node.newPod('neighbour'));
        call = { config, pod: node.newPod('pod') };
      }
      if (ipam === 'host-local') {
        hostLocalStore(node);
        call = { ...call, config: { ...config, ipam: hostLocal } };
      }
      const standing = node.hns.nextStanding();
      node.hns.inject({ function: held, effect: { hold: 'after' } });
      const late = node.cni('ADD', { ...call, ...deviation });
      await standing;
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      const other = await node.cni('ADD', call);
      expect(other.exitCode).toBe(0);
      node.hns.release();
      expect(codeOf(await late)).toBe(code);
      expect(found()).toEqual(works);
      const { config: checked } = call;
      expect(
        await node.cni('CHECK', { ...call, config: { ...checked, prevResult: other.json } }),
      ).toMatchObject({
        exitCode: 0,
      });
    },
  );
});
