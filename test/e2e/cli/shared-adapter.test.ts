import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/hcn/documents.ts';
import { type Node, startNode } from '../node.ts';
import { config, network } from './l2bridge.ts';
import { problem, runCli } from './run-cli.ts';

let node: Node;
const folder = mkdtempSync(join(tmpdir(), 'win-hcn-shared-adapter-'));
afterEach(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

const other = 'd0c4e732-8b1a-4f6d-9c55-3e7a1f2b9d04';
const SchemaVersion = { Major: 2, Minor: 0 };

/** Starts a node with a network of another program on its only adapter. */
async function startShared(
  Type: string,
  IpAddressPrefix: string,
  Policies: readonly Policy[] = [],
  Name = 'other',
) {
  node = await startNode();
  await node.hcn.createNetwork(other, {
    Name,
    Type,
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix, Policies }] }],
    SchemaVersion,
  });
}

test('ADD creates a network beside one of the same type, and its log warns about overlapping subnets', async () => {
  await startShared('L2Bridge', '10.244.0.0/16');
  const logFile = join(folder, 'win-hcn.log');
  for (const pod of [node.newPod('pod1'), node.newPod('pod2')])
    expect(await node.add(config({ logFile }), pod)).toMatchObject({ exitCode: 0 });
  const entries = readFileSync(logFile, 'utf8').trim().split('\n');
  const notices = entries.map((entry) => JSON.parse(entry)).filter(({ event }) => event === 'notice');
  expect(notices.map(({ text }) => text)).toEqual([
    'creating network "l2bridge" interrupts adapter "Ethernet", usually for 6 to 20 s: connections to the node through it, such as RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498)',
    'subnet 10.244.1.0/24 of network "l2bridge" overlaps with 10.244.0.0/16 of network "other" on adapter "Ethernet": pods of both networks can get the same address',
  ]);
});

test('network ensure shows both before it creates the network', async () => {
  await startShared('L2Bridge', '10.244.0.0/16');
  const files = { 'net.conf': JSON.stringify(config()) };
  const words = ['network', 'ensure', 'net.conf'];
  expect(await runCli(words, { files, system: node.outside })).toEqual(
    problem(
      `1. create L2Bridge network "l2bridge" (${network})`,
      'Subnet 10.244.1.0/24 of network "l2bridge" overlaps with 10.244.0.0/16 of network "other" on adapter "Ethernet": pods of both networks can get the same address.',
      'Creating network "l2bridge" interrupts adapter "Ethernet", usually for 6 to 20 s: connections to the node through it, such as RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498).',
      'No changes made. Rerun with --yes to apply.',
    ),
  );
});

const configured = {
  'C:\\Program Files\\containerd\\cni\\conf\\net.conf': JSON.stringify(config()),
};

describe('the name of another network', () => {
  const forged = 'x\nPASS     everything          fine; Remove-Item C:\\';
  const startForged = () => startShared('Transparent', '10.0.0.0/24', [], forged);

  test('cannot add lines or commands to the report of doctor', async () => {
    await startForged();
    const { stdout } = await runCli(['doctor'], { files: configured, system: node.outside });
    const report = stdout.split('\n');
    expect(report.filter((line) => line.startsWith('PASS     everything'))).toEqual([]);
    expect(report.filter((line) => line.startsWith('FAIL'))).toEqual([
      `FAIL     network             "l2bridge" does not exist yet, and adapter "Ethernet" is in use by Transparent network "x\\\\u000aPASS     everything          fine; Remove-Item C:\\\\": HNS does not put L2Bridge network "l2bridge" on it; set "adapter" to another adapter, or delete "x\\\\u000aPASS     everything          fine; Remove-Item C:\\\\" if nothing uses it: win-hcn network delete ${other}`,
    ]);
  });

  test('is on one line in the error of an ADD, whose remedy has the id', async () => {
    await startForged();
    const { json } = await node.add(config());
    expect(json).toMatchObject({
      msg: 'adapter "Ethernet" is in use by Transparent network "x\\nPASS     everything          fine; Remove-Item C:\\\\", so HNS refused L2Bridge network "l2bridge": HCN returned HCN_E_ADAPTER_NOT_FOUND (0x803b0006): An adapter was not found',
      details: `set "adapter" to another adapter, or delete "x\\nPASS     everything          fine; Remove-Item C:\\\\" if nothing uses it: win-hcn network delete ${other}`,
    });
  });
});
