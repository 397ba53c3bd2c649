// What real HNS may do with a first ADD, on each type of network (docs/notes/uncertain-hns.md).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Switches } from '../simulator/profiles.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
afterEach(() => node.stop());

async function start(switches: Partial<Switches>): Promise<void> {
  node = await startNode({ profile: 'hns15.5', switches });
}

const folder = mkdtempSync(join(tmpdir(), 'win-hcn-first-add-'));
afterAll(() => rmSync(folder, { recursive: true }));
const ipam = { type: 'test-ipam' };
const acls = [
  { action: 'Allow', direction: 'In', protocols: ['tcp'], localPorts: [80] },
  { action: 'Allow', direction: 'In', protocols: ['tcp'], localPorts: [443] },
];
const networks = {
  NAT: example('nat', { cniVersion: '1.1.0' }),
  L2Bridge: example('l2bridge', { cniVersion: '1.1.0', ipam, acls, defaultAction: 'Block' }),
  Overlay: example('overlay', { cniVersion: '1.1.0', outboundNat: { exceptions: ['10.0.0.0/8'] } }),
  Transparent: example('transparent', { cniVersion: '1.1.0', adapter: 'Ethernet' }),
};

/** Two ADDs, CHECK of both, STATUS, DEL of one and GC of the other. Returns their codes and the endpoints after each command but CHECK. */
async function live(config: object) {
  const [one, other] = [node.newPod('one'), node.newPod('other')];
  const count = () => node.hns.dump().endpoints.length;
  const added = [await node.add(config, one), await node.add(config, other)];
  const checked = [
    await node.check({ ...config, prevResult: added[0]?.json }, one),
    await node.check({ ...config, prevResult: added[1]?.json }, other),
  ];
  const counts = [count()];
  const ready = await node.status(config);
  const deleted = await node.del(config, one);
  counts.push(count());
  const collected = await node.gc(
    { ...config, 'cni.dev/valid-attachments': [] },
    { containerId: '', netns: '' },
  );
  counts.push(count());
  const answers = [...added, ...checked, ready, deleted, collected];
  return { codes: answers.map(({ json }) => json?.code ?? 0), counts, ...node.hns.takeInterruptions() };
}

describe.each<[string, Partial<Switches>]>([
  ['shows a VLAN on a NAT network', { natVlan: 'shown' }],
  ['returns vEthernet (X) as the adapter', { adapterName: 'vEthernet' }],
  ['returns texts where numbers and objects are documented', { memberTypes: 'other' }],
  ['returns one ACL for all', { policiesWrittenBack: 'coalesced ACLs' }],
  ['refuses V1 queries', { managementAddressQuery: 'refused' }],
  ['refuses the first endpoints of a network', { firstEndpoint: 'after refusals' }],
  ['shows the addresses of a new endpoint late', { newAddress: 'later' }],
  ['still finds deleted endpoints', { deletedEndpoint: 'lingers' }],
  ['writes the ids of resources as ID', { resourceId: 'ID' }],
  ['chooses ids itself', { callerIds: 'ignored' }],
  ['refuses to delete attached endpoints', { attachedEndpointDeletion: 'refused' }],
  ['hangs when it deletes attached endpoints', { attachedEndpointDeletion: 'hangs' }],
  ['refuses HostRoute', { hostRoute: 'refused' }],
  [
    'takes HostRoute only after the creation',
    { hostRouteAtCreation: 'refused', policyWithoutSettings: 'refused' },
  ],
  ['lists networks late', { networkListing: 'late' }],
  ['shows the interface of a network late', { providerInterface: 'late' }],
  ['merges policies', { policiesWrittenBack: 'merged' }],
])('on an HNS that %s', (_, switches) => {
  test.each(Object.entries(networks))(
    'ADD, CHECK, STATUS, DEL and GC succeed on a %s network',
    async (type, config) => {
      await start(switches);
      expect(await live(config)).toEqual({
        codes: [0, 0, 0, 0, 0, 0, 0],
        counts: [2, 1, 0],
        creations: type === 'NAT' ? 0 : 1,
        deletions: 0,
      });
    },
  );
});
