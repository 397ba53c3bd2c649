import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../e2e/matrix/aftermath.ts';
import { type Bench, newBench } from '../e2e/matrix/bench.ts';
import { ofNetwork } from '../e2e/matrix/found.ts';
import { adds } from '../e2e/matrix/scenarios.ts';
import { differences, snapshot } from '../e2e/matrix/snapshot.ts';
import type { Fault } from '../simulator/faults.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const calls = ['HcnCreateEndpoint', 'HcnModifyNamespace'];
const fates: readonly (readonly [string, Fault['effect'], number])[] = [
  ['returns HCN_E_INVALID_POLICY', { hresult: 0x803b000d }, 100],
  ['loses its answer', { drop: 'after' }, 11],
  ['hangs', { hang: true }, 11],
];
const kills: readonly (readonly [string, Fault['effect']])[] = [
  ['before', { hang: true }],
  ['after', { hold: 'after' }],
];

describe.skipIf(missing !== undefined)('the shipped exe, when in an ADD that creates the network', () => {
  const scenario = adds.find(({ name }) => name === 'ADD that creates the network');
  if (scenario === undefined) throw new Error('there is no such scenario');
  let bench: Bench;
  beforeAll(async () => {
    bench = await newBench(scenario);
  });
  afterAll(() => bench.node.stop());

  const add = (signal?: AbortSignal) => {
    const { node, call } = bench;
    return suitePrefix().run(exe, [], {
      env: {
        WIN_HCN_SIMULATED_HNS: node.hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: call.pod.containerId,
        CNI_NETNS: call.pod.netns,
        CNI_IFNAME: 'eth0',
        CNI_PATH: 'C:\\opt\\cni\\bin',
      },
      stdin: JSON.stringify({ ...call.config, hcnTimeoutSeconds: 1 }),
      ...(signal && { signal }),
    });
  };
  const expectNothingLeft = async () => {
    expect(await cleanUp(bench, scenario, { next: 'DEL' })).toEqual([]);
  };

  describe.each(calls)('%s', (name) => {
    test.each(fates)('%s, it returns one error and leaves only the network', async (_, effect, code) => {
      bench.node.hns.inject({ function: name, effect });
      const ended = await add();
      bench.node.hns.release();
      expect(ended).toMatchObject({ exitCode: 1, stderr: '' });
      expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0', code });
      expect(differences(bench.clean, snapshot(bench.node, ofNetwork(scenario)))).toEqual([]);
      await expectNothingLeft();
    });

    test.each(kills)('is killed just %s its effect, the DEL leaves only the network', async (_, effect) => {
      const { hns } = bench.node;
      const end = new AbortController();
      const standing = hns.nextStanding();
      hns.inject({ function: name, effect });
      const adding = add(end.signal);
      await standing;
      end.abort();
      expect(await adding).toMatchObject({ exitCode: undefined, stdout: '' });
      await expect.poll(() => hns.dump().clients).toBe(1);
      hns.release();
      await expectNothingLeft();
    });
  });
});
