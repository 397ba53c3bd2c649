import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { config } from './cli/l2bridge.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
const folder = mkdtempSync(join(tmpdir(), 'win-hcn-first-add-'));
const logFile = join(folder, 'win-hcn.log');
afterEach(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

const other = 'd0c4e732-8b1a-4f6d-9c55-3e7a1f2b9d04';

/** Starts a node with a network of another program on its only adapter. */
async function startBeside(Type: string) {
  node = await startNode();
  const Policies = Type === 'Overlay' ? [{ Type: 'VSID', Settings: { IsolationId: 9999 } }] : [];
  await node.hcn.createNetwork(other, {
    Name: 'External',
    Type,
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '192.168.255.0/30', Policies }] }],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
}

const notices = () =>
  readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'notice')
    .map(({ text }) => text);

describe('the first ADD of a node', () => {
  /** The queries of the own network come first. */
  const queryOfOther = { function: 'HcnQueryNetworkProperties', ordinal: 3, effect: { hang: true } } as const;

  test('succeeds if the query of a foreign network hangs, which is only a notice', async () => {
    await startBeside('L2Bridge');
    node.hns.inject(queryOfOther);
    expect(await node.add(config({ logFile }))).toMatchObject({ exitCode: 0 });
    expect(notices()).toEqual([
      'creating network "l2bridge" interrupts adapter "Ethernet", usually for 6 to 20 s: connections to the node through it, such as RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498)',
      'network "l2bridge" was not compared with the other networks: HcnQueryNetworkProperties did not respond within 1 s: the Host Network Service hangs or is overloaded. Run Get-Service hns to check it. If the next attempt times out too, drain the node and run Restart-Service hns.',
    ]);
  });

  test('retries if a foreign network is deleted during the creation, and HNS releases its adapter late', async () => {
    await startBeside('Overlay');
    node.hns.inject({ function: 'HcnCreateNetwork', effect: { vanish: { kind: 'Network', id: other } } });
    node.hns.inject({ function: 'HcnCreateNetwork', effect: { hresult: 0x803b0006 } });
    expect(await node.add(config())).toMatchObject({ exitCode: 0 });
  });
});
