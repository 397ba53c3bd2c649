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

const startWithOverlay = () =>
  startShared('Overlay', '10.245.0.0/16', [{ Type: 'VSID', Settings: { IsolationId: 4096 } }]);

const lines = (...text: readonly string[]) => text.map((line) => `${line}\n`).join('');
const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** A refused creation, after which ADD reads the other networks. */
const refusal = [
  `     0.0  HCN_E_ADAPTER_NOT_FOUND  HcnCreateNetwork                           ${network}`,
  `     0.0  ok                       HcnOpenNetwork                             ${other}`,
  `     0.0  ok                       HcnQueryNetworkProperties                  ${other}`,
];

/** Runs the plugin by hand on a configuration with an IPAM plugin. */
async function add() {
  const { netns } = node.newPod('pod1');
  const files = { 'net.conf': JSON.stringify(config({ ipam: { type: 'test-ipam' } })) };
  const system = { ...node.outside, executable: '/opt/cni/bin/win-hcn' };
  const words = ['debug', 'cni', 'add', '--conf', 'net.conf', '--container', 'pod1', '--netns', netns];
  return { netns, printed: await runCli(words, { files, system }) };
}

test('ADD names the network of another type on the adapter if HNS refuses the new network twice', async () => {
  await startWithOverlay();
  const { netns, printed } = await add();
  expect(printed).toEqual({
    exitCode: 1,
    stdout: json({
      cniVersion: '1.0.0',
      code: 100,
      msg: 'adapter "Ethernet" is in use by Overlay network "other", so HNS refused L2Bridge network "l2bridge": HCN returned HCN_E_ADAPTER_NOT_FOUND (0x803b0006): An adapter was not found',
      details:
        'set "adapter" to another adapter, or delete "other" if nothing uses it: win-hcn network delete other',
    }),
    stderr: lines(
      'ADD failed: 66 calls in 6000 ms',
      '      ms  result                   call                                       object',
      `     0.0  HCN_E_NETWORK_NOT_FOUND  HcnOpenNetwork ×27                         ${network}`,
      `     0.0  ok                       HcnOpenNamespace                           ${netns}`,
      '     0.0  ok                       HcnEnumerateNetworks ×29',
      '     0.0  ok                       listing the network adapters of this host',
      '     0.0  ok                       /opt/cni/bin/test-ipam ADD',
      `     0.0  HCN_E_ADAPTER_NOT_FOUND  HcnCreateNetwork ×2                        ${network}`,
      `     0.0  ok                       HcnOpenNetwork ×2                          ${other}`,
      `     0.0  ok                       HcnQueryNetworkProperties ×2               ${other}`,
      '     0.0  ok                       /opt/cni/bin/test-ipam DEL',
    ),
  });
});

test('ADD names a Transparent network on the adapter at once, without a wait or a second try', async () => {
  await startShared('Transparent', '10.0.0.0/24');
  const { netns, printed } = await add();
  expect(printed).toEqual({
    exitCode: 1,
    stdout: json({
      cniVersion: '1.0.0',
      code: 100,
      msg: 'adapter "Ethernet" is in use by Transparent network "other", so HNS refused L2Bridge network "l2bridge": HCN returned HCN_E_ADAPTER_NOT_FOUND (0x803b0006): An adapter was not found',
      details:
        'set "adapter" to another adapter, or delete "other" if nothing uses it: win-hcn network delete other',
    }),
    stderr: lines(
      'ADD failed: 10 calls in 0 ms',
      '      ms  result                   call                                       object',
      `     0.0  HCN_E_NETWORK_NOT_FOUND  HcnOpenNetwork                             ${network}`,
      `     0.0  ok                       HcnOpenNamespace                           ${netns}`,
      '     0.0  ok                       HcnEnumerateNetworks ×2',
      '     0.0  ok                       listing the network adapters of this host',
      '     0.0  ok                       /opt/cni/bin/test-ipam ADD',
      ...refusal,
      '     0.0  ok                       /opt/cni/bin/test-ipam DEL',
    ),
  });
});

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

test('network ensure fails before it asks for --yes if one of the networks is Transparent', async () => {
  await startShared('Transparent', '10.0.0.0/24');
  const files = { 'net.conf': JSON.stringify(config()) };
  expect(await runCli(['network', 'ensure', 'net.conf'], { files, system: node.outside })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'win-hcn: adapter "Ethernet" is in use by Transparent network "other": HNS does not put L2Bridge network "l2bridge" on it; set "adapter" to another adapter, or delete "other" if nothing uses it: win-hcn network delete other\n',
  });
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

test.each(['config plan', 'network ensure'])('%s warns about a second NAT network', async (command) => {
  node = await startNode();
  await node.hcn.createNetwork(other, { Name: 'dev', Type: 'NAT', SchemaVersion });
  const nat = { cniVersion: '1.0.0', name: 'nat', type: 'win-hcn', networkType: 'NAT' };
  const { stdout } = await runCli([...command.split(' '), 'net.conf'], {
    files: { 'net.conf': JSON.stringify(nat) },
    system: node.outside,
  });
  expect(stdout).toContain(
    '"nat" and "dev" are NAT networks: with more than one, HNS may hang when a third port is published, on Windows Server 2025 until the node restarts (microsoft/Windows-Containers#486); use one NAT network for all pods with host ports',
  );
});
