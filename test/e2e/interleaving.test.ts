import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HcnInterceptor } from '../../src/hcn/library.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { hresultOf } from '../simulator/hresults.ts';
import { runCli } from './cli/run-cli.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type HostLocalStore, hostLocal, hostLocalStore } from './host-local-store.ts';
import { codeOf } from './matrix/request.ts';
import { type Answer, type Call, type Node, startNode } from './node.ts';

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
type Moment = Omit<(typeof everyMoment)[number], 'name'>;

let node: Node;
let call: Call;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config, node.newPod('neighbour'));
  call = { config, pod: node.newPod('pod') };
});
afterEach(() => node.stop());

/** Runs an ADD that is held at a moment while another command runs. */
async function addDuring({ ordinal, when }: Moment, work: () => Promise<Answer>): Promise<[Answer, Answer]> {
  const standing = node.hns.nextStanding();
  node.hns.inject({ ordinal, effect: { hold: when } });
  const adding = node.cni('ADD', call);
  await standing;
  const other = await work();
  node.hns.release();
  return [await adding, other];
}

const endpoints = () => node.hns.dump().endpoints.map(({ Name }) => Name);
const attached = () =>
  node.hns.dump().endpoints.find(({ Name }) => Name === 'pod_l2bridge_eth0')?.['HostComputeNamespace'];
const leases = () => [...node.ipam.leases.keys()];
const gc = (...valid: readonly string[]) => {
  const attachments = valid.map((containerID) => ({ containerID, ifname: 'eth0' }));
  return node.cni('GC', { ...call, config: { ...config, 'cni.dev/valid-attachments': attachments } });
};

/** The outcome at one moment: the ADD's code, and whether the attachment then works and has its lease. */
interface Row {
  readonly when: Moment['when'];
  readonly name: string;
  readonly added: number;
  readonly isAttached: boolean;
  readonly isLeased: boolean;
}

const momentOf = ({ when, name }: Pick<Row, 'when' | 'name'>): Moment => ({
  when,
  ordinal: calls.indexOf(name) + 1,
});
const found = () => ({ isAttached: attached() === call.pod.netns, isLeased: leases().includes('pod eth0') });
const works = { isAttached: true, isLeased: true };
const worksWithoutLease = { isAttached: true, isLeased: false };
const nothing = { isAttached: false, isLeased: false };

/** The outcomes of an ADD if a DEL, or a GC without the attachment in its list, runs at that moment. */
const whenDeleted: readonly Row[] = [
  { when: 'before', name: 'HcnOpenNetwork', added: 0, ...works },
  { when: 'after', name: 'HcnOpenNetwork', added: 0, ...works },
  { when: 'before', name: 'HcnQueryNetworkProperties', added: 0, ...works },
  { when: 'after', name: 'HcnQueryNetworkProperties', added: 0, ...works },
  { when: 'before', name: 'HcnOpenNamespace', added: 0, ...works },
  { when: 'after', name: 'HcnOpenNamespace', added: 0, ...works },
  { when: 'before', name: 'HcnCreateEndpoint', added: 0, ...worksWithoutLease },
  { when: 'after', name: 'HcnCreateEndpoint', added: 11, ...nothing },
  { when: 'before', name: 'HcnQueryEndpointProperties', added: 11, ...nothing },
  { when: 'after', name: 'HcnQueryEndpointProperties', added: 11, ...nothing },
  { when: 'before', name: 'HcnModifyNamespace', added: 11, ...nothing },
  { when: 'after', name: 'HcnModifyNamespace', added: 0, ...nothing },
];

/** If the attachment works without a lease, the next pod may get the same address: a runtime must not run both at once. */
describe('a DEL during an ADD', () => {
  test.each(whenDeleted)(
    '$when its $name succeeds, the ADD returns $added, and the DEL after both leaves nothing',
    async ({ added, isAttached, isLeased, ...moment }) => {
      const [adding, deleted] = await addDuring(momentOf(moment), () => node.cni('DEL', call));
      expect([codeOf(adding), codeOf(deleted)]).toEqual([added, 0]);
      expect(found()).toEqual({ isAttached, isLeased });
      if (!isAttached) expect(endpoints()).toEqual(['neighbour_l2bridge_eth0']);
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      expect(endpoints()).toEqual(['neighbour_l2bridge_eth0']);
      expect(leases()).toEqual(['neighbour eth0']);
      expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('a GC during an ADD', () => {
  test.each(everyMoment)('$when its $name keeps the attachment if it is in the list', async (moment) => {
    const [added, collected] = await addDuring(moment, () => gc('neighbour', 'pod'));
    expect([added.exitCode, collected.exitCode]).toEqual([0, 0]);
    expect(attached()).toBe(call.pod.netns);
    expect(leases()).toEqual(['neighbour eth0', 'pod eth0']);
  });
});

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

/** The specification forbids this. It may cost the lease of an address. */
describe('a second ADD of the same attachment', () => {
  test.each<{ when: Moment['when']; name: string; first: number; second: number }>([
    { when: 'before', name: 'HcnOpenNetwork', first: 101, second: 0 },
    { when: 'after', name: 'HcnOpenNetwork', first: 101, second: 0 },
    { when: 'before', name: 'HcnQueryNetworkProperties', first: 101, second: 0 },
    { when: 'after', name: 'HcnQueryNetworkProperties', first: 101, second: 0 },
    { when: 'before', name: 'HcnOpenNamespace', first: 101, second: 0 },
    { when: 'after', name: 'HcnOpenNamespace', first: 101, second: 0 },
    { when: 'before', name: 'HcnCreateEndpoint', first: 0, second: 100 },
    { when: 'after', name: 'HcnCreateEndpoint', first: 101, second: 0 },
    { when: 'before', name: 'HcnQueryEndpointProperties', first: 101, second: 0 },
    { when: 'after', name: 'HcnQueryEndpointProperties', first: 101, second: 0 },
    { when: 'before', name: 'HcnModifyNamespace', first: 101, second: 0 },
    { when: 'after', name: 'HcnModifyNamespace', first: 0, second: 101 },
  ])(
    '$when its $name: the first returns $first, the second $second, and one endpoint works',
    async ({ first, second, ...moment }) => {
      const answers = await addDuring(momentOf(moment), () => node.cni('ADD', call));
      expect(answers.map(codeOf)).toEqual([first, second]);
      expect(endpoints().toSorted()).toEqual(['neighbour_l2bridge_eth0', 'pod_l2bridge_eth0']);
      expect(attached()).toBe(call.pod.netns);
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      expect(endpoints()).toEqual(['neighbour_l2bridge_eth0']);
      expect(leases()).toEqual(['neighbour eth0']);
    },
  );
});
