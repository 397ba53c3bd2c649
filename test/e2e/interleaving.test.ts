import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Answer, type Call, type Node, startNode } from './node.ts';

const config = example('l2bridge', { cniVersion: '1.1.0', ipam: { type: 'test-ipam' } });

/** The calls of an ADD. */
const calls = [
  'HcnEnumerateNetworks',
  'HcnOpenNetwork',
  'HcnQueryNetworkProperties',
  'HcnOpenNamespace',
  'HcnCreateEndpoint',
  'HcnModifyNamespace',
  'HcnQueryEndpointProperties',
];
const everyMoment = calls.flatMap((name, index) =>
  (['before', 'after'] as const).map((when) => ({ when, name, ordinal: index + 1 })),
);
type Moment = (typeof everyMoment)[number];

let node: Node;
let call: Call;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.cni('ADD', { config, pod: node.newPod('neighbour') });
  call = { config, pod: node.newPod('pod') };
});
afterEach(() => node.stop());

/** An ADD that stands still at a moment while something else is done. */
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
  node.hns.dump().endpoints.find(({ Name }) => Name === 'pod_eth0_l2bridge')?.['HostComputeNamespace'];
const leases = () => [...node.ipam.leases.keys()];
const hcnFailure = 100;
const gc = (...valid: readonly string[]) => {
  const attachments = valid.map((containerID) => ({ containerID, ifname: 'eth0' }));
  return node.cni('GC', { ...call, config: { ...config, 'cni.dev/valid-attachments': attachments } });
};

test('these are all the calls of an ADD', async () => {
  expect((await node.cni('ADD', call)).calls).toEqual(calls);
});

describe('a DEL during an ADD', () => {
  test.each(everyMoment)(
    '$when its $name succeeds, and the DEL after both leaves nothing',
    async (moment) => {
      const [added, deleted] = await addDuring(moment, () => node.cni('DEL', call));
      expect(deleted.exitCode).toBe(0);
      if (added.exitCode !== 0) expect(endpoints()).toEqual(['neighbour_eth0_l2bridge']);
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      expect(endpoints()).toEqual(['neighbour_eth0_l2bridge']);
      expect(leases()).toEqual(['neighbour eth0']);
      expect(await node.cni('ADD', call)).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('a GC during an ADD', () => {
  test.each(everyMoment)(
    '$when its $name leaves the attachment alone that is among the valid ones',
    async (moment) => {
      const [added, collected] = await addDuring(moment, () => gc('neighbour', 'pod'));
      expect([added.exitCode, collected.exitCode]).toEqual([0, 0]);
      expect(attached()).toBe(call.pod.netns);
      expect(leases()).toEqual(['neighbour eth0', 'pod eth0']);
    },
  );

  const from = (first: number, last: number) => everyMoment.slice(first, last + 1);
  const created = everyMoment.findIndex(({ name, when }) => name === 'HcnCreateEndpoint' && when === 'after');
  const end = everyMoment.length - 1;

  test.each(from(0, created - 1))(
    '$when its $name finds nothing yet of one that is not among them',
    async (moment) => {
      const [added, collected] = await addDuring(moment, () => gc('neighbour'));
      expect([added.exitCode, collected.exitCode]).toEqual([0, 0]);
      expect(attached()).toBe(call.pod.netns);
    },
  );

  test.each(from(created, end - 1))(
    '$when its $name takes the endpoint of one that is not among them: the ADD fails and leaves nothing',
    async (moment) => {
      const [added, collected] = await addDuring(moment, () => gc('neighbour'));
      expect(added).toMatchObject({ exitCode: 1, json: { code: hcnFailure } });
      expect(collected.exitCode).toBe(0);
      expect(endpoints()).toEqual(['neighbour_eth0_l2bridge']);
      expect(leases()).toEqual(['neighbour eth0']);
    },
  );

  test.each(from(end, end))('$when its $name, its last, comes after it', async (moment) => {
    const [added, collected] = await addDuring(moment, () => gc('neighbour'));
    expect([added.exitCode, collected.exitCode]).toEqual([0, 0]);
    expect(endpoints()).toEqual(['neighbour_eth0_l2bridge']);
    expect(leases()).toEqual(['neighbour eth0']);
  });
});

/** The specification forbids a runtime to do this: what it may cost is an address that is leased no more. */
describe('a second ADD of the same attachment', () => {
  const overtaken = [101, 0] as const;
  const firstWins = [0, 101] as const;
  const beforeItsEndpoint = [0, hcnFailure] as const;
  const outcomes = [
    ...[overtaken, overtaken, overtaken, overtaken, overtaken, overtaken, overtaken, overtaken],
    ...[beforeItsEndpoint, overtaken, overtaken, firstWins, firstWins, firstWins],
  ];
  const moments = everyMoment.map((moment, index) => ({
    ...moment,
    first: outcomes[index]?.[0],
    second: outcomes[index]?.[1],
  }));

  test.each(moments)(
    '$when its $name: the first answers $first, the second $second, and one endpoint works',
    async ({ first, second, ...moment }) => {
      const answers = await addDuring(moment, () => node.cni('ADD', call));
      expect(answers.map(({ json }) => json.code ?? 0)).toEqual([first, second]);
      expect(endpoints().toSorted()).toEqual(['neighbour_eth0_l2bridge', 'pod_eth0_l2bridge']);
      expect(attached()).toBe(call.pod.netns);
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      expect(endpoints()).toEqual(['neighbour_eth0_l2bridge']);
      expect(leases()).toEqual(['neighbour eth0']);
    },
  );
});
