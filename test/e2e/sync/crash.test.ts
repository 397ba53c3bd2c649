// Everything that can happen to every call of network sync, on both types of networks.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeList } from '../../unit/cli/network/node-list.ts';
import { kindsOfHresults, missingAnswers, ofIpHelper } from '../matrix/effects.ts';
import { type Node, startNode } from '../node.ts';
import { startBundle } from '../process.ts';
import {
  addForeignRoute,
  createNetwork,
  l2bridge,
  overlay,
  plainNode,
  routes,
  sync,
  tunnelNode,
  tunnels,
} from './sync-node.ts';

type Member = typeof tunnelNode;
/** Node 2 stays, node 3 leaves, node 4 changes its address, node 5 joins. */
const nodesBefore = (member: Member) => [1, 2, 3, 4].map((n) => member(n));
const nodesAfter = (member: Member) => [member(1), member(2), member(4, { address: '10.0.0.44' }), member(5)];
const subnetsBefore = [
  '10.244.2.0/24 via 10.0.0.5',
  '10.244.3.0/24 via 10.0.0.6',
  '10.244.4.0/24 via 10.0.0.7',
];
const subnetsAfter = [
  '10.244.2.0/24 via 10.0.0.5',
  '10.244.4.0/24 via 10.0.0.44',
  '10.244.5.0/24 via 10.0.0.8',
];
/** An administrator's route, which is in all states of the route table. */
const foreign = '10.244.77.0/24 via 10.0.0.99';

const networks = [
  {
    type: 'Overlay',
    config: overlay(),
    member: tunnelNode,
    read: tunnels,
    lasting: [],
    changing: [{ name: 'HcnModifyNetwork', calls: 4 }],
    reading: [
      { name: 'HcnOpenNetwork', calls: 1 },
      { name: 'HcnQueryNetworkProperties', calls: 2 },
    ],
    every: [...kindsOfHresults, ...missingAnswers],
  },
  {
    type: 'L2Bridge',
    config: l2bridge(),
    member: plainNode,
    read: routes,
    lasting: [foreign],
    changing: [
      { name: 'CreateIpForwardEntry2', calls: 2 },
      { name: 'DeleteIpForwardEntry2', calls: 2 },
    ],
    reading: [
      { name: 'GetAdaptersAddresses', calls: 1 },
      { name: 'GetIpForwardTable2', calls: 1 },
    ],
    // A route that Windows does not find counts as deleted.
    every: ofIpHelper.filter(({ name }) => name !== 'returns ERROR_NOT_FOUND'),
  },
];

describe.each(networks)(
  'on an $type network',
  ({ config, member, read, lasting, changing, reading, every }) => {
    const before = [...subnetsBefore, ...lasting].toSorted();
    const after = [...subnetsAfter, ...lasting].toSorted();
    const done = { exitCode: 0, stderr: expect.any(String), state: after };
    let node: Node;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'win-hcn-sync-'));
      writeFileSync(join(folder, 'net.conf'), JSON.stringify(config));
      writeFileSync(join(folder, 'nodes.json'), nodeList(...nodesAfter(member)));
      node = await startNode();
      await createNetwork(node, config);
      addForeignRoute(node, '10.244.77.0/24', '10.0.0.99');
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await node.stop();
    });

    const run = (nodes: readonly object[]) => sync(node, config, nodes);
    const reset = async () => {
      const { exitCode, stderr } = await run(nodesBefore(member));
      expect({ exitCode, stderr, state: read(node) }).toEqual({ exitCode: 0, stderr: '', state: before });
    };
    /** Lets calls that are late take effect, and expects the next sync to finish the work. */
    const expectRecovery = async () => {
      node.hns.clearFaults();
      for (let round = 0; round < 3; round += 1) {
        node.hns.release();
        await turn();
      }
      const { exitCode, stderr } = await run(nodesAfter(member));
      expect({ exitCode, stderr, state: read(node) }).toEqual(done);
    };
    /** A failed removal or addition of one of three, in any order: others are as before or after. */
    const expectNoneLost = () => {
      const state = read(node);
      expect(state).toEqual(expect.arrayContaining(['10.244.2.0/24 via 10.0.0.5', ...lasting]));
      expect([...before, ...after]).toEqual(expect.arrayContaining([...state]));
    };

    const effects = every.flatMap(({ name, fault: effect, late, only }) =>
      effect === undefined || only !== undefined ? [] : [{ name, effect, isLate: late !== undefined }],
    );
    describe.each(effects)('if the k-th call $name', ({ effect, isLate }) => {
      test.each([...changing, ...reading])(
        '$name: the sync is done or has changed nothing, and the next one finishes it',
        async ({ name, calls }) => {
          for (let ordinal = 1; ordinal <= calls + 1; ordinal += 1) {
            await reset();
            node.hns.inject({ function: name, ordinal, effect });
            const { exitCode, stderr } = await run(nodesAfter(member));
            const state = read(node);
            const isChanged = /remote subnets: [1-9]\d* changed/.test(stderr);
            if (exitCode === 0 || ordinal > calls) expect({ exitCode, stderr, state }).toEqual(done);
            else if (!isLate && !isChanged) expect({ ordinal, state }).toEqual({ ordinal, state: before });
            expectNoneLost();
            await expectRecovery();
          }
        },
      );
    });

    const moments = changing.flatMap(({ name }) => [1, 2].map((ordinal) => ({ name, ordinal })));
    test.each(moments)(
      'if the process is killed after call $ordinal of $name, the next sync finishes it',
      async (call) => {
        await reset();
        node.hns.inject({ function: call.name, ordinal: call.ordinal, effect: { hold: 'after' } });
        const standing = node.hns.nextStanding();
        const words = [
          'network',
          'sync',
          join(folder, 'net.conf'),
          '--nodes',
          join(folder, 'nodes.json'),
          '--yes',
        ];
        const running = startBundle(node.hns.environment, '', words);
        await Promise.race([standing, running.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
        running.kill();
        await running.ended;
        expect(read(node)).not.toEqual(before);
        expectNoneLost();
        await expectRecovery();
      },
    );
  },
);
