import { afterEach, beforeEach, expect, test } from 'vitest';
import { journey } from '../../cluster/judge.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { router } from '../../cluster/router.ts';
import { windowsNode } from '../../cluster/windows-node.ts';
import { type Node, startNode } from '../node.ts';

/** A pod whose network policy is the file conflist-examples/acls.conflist, on a node in the same subnet. */
let node: Node;
let pod: string;
beforeEach(async () => {
  node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '10.244.4.250' }] });
  const { json } = await node.add(recipeFile('conflist-examples/acls.conflist'));
  [pod = ''] = json.ips[0].address.split('/');
});
afterEach(() => node.stop());

const outside = ['10.0.8.7', '10.0.9.5', '10.0.9.6'];

test.each([
  ['POD', '10.0.8.7:5432', 'arrives'],
  ['POD', '10.0.9.5:5432', 'arrives'],
  ['POD', '10.0.9.6:5432', 'lost'],
  ['POD', '10.0.9.5:80', 'lost'],
  ['10.0.9.6', 'POD:80', 'arrives'],
  ['10.0.9.6', 'POD:8085', 'arrives'],
  ['10.0.9.6', 'POD:22', 'lost'],
])("with win-hcn's acls, a packet from %s to %s %s", (from, to, expected) => {
  const gateway = router({ addresses: ['10.244.4.1/24'], outside });
  const cluster = { nodes: [windowsNode('win', node.hns), gateway] };
  const named = (text: string) => text.replace('POD', pod);
  const { outcome, worst } = journey(cluster, named(from), named(to));
  expect(outcome, worst.because).toBe(expected);
  if (expected === 'lost') expect(worst.because).toMatch(/ACL.*blocks it/);
});
