import { afterEach, beforeEach, test } from 'vitest';
import { byHand } from './by-hand.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

test.each([[[]], [['--remote']], [['--format','mermaid']], [['--format','mermaid','--remote']]])('x %j', async (words) => {
  for (const width of [undefined, 80, 50]) {
  const r = await byHand(['graph', ...words], { system: node.outside, environment: {NO_COLOR:'1'}, ...(width && {width}) });
  console.log(r.stdout, r.stderr, r.exitCode); }
});
test('help', async () => { console.log((await byHand(['graph','--help'])).stdout, await byHand(['graph', '--format','html'],{width:80}), await byHand(['graph', '--format','html', '--file','x.html'],{width:80, system: node.outside})) });
