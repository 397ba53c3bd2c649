import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectReach, journey } from '../../cluster/judge.ts';
import { recipeFile } from '../../cluster/recipe-file.ts';
import { clusterWith, linuxAddress, needed, startWindowsNodes } from '../../cluster/segment.ts';
import { runCli } from '../cli/run-cli.ts';
import type { Node } from '../node.ts';

const linuxMac = 'ba:c1:6f:91:17:c7';

let nodes: readonly Node[];
beforeEach(async () => {
  nodes = await startWindowsNodes();
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
});

/** A file of the page for a node, with what step 1 replaces. */
function fileOf(name: string, index: number, remoteSubnets: readonly object[]) {
  const prefix = `10.244.${index + 1}`;
  const file = recipeFile(`conflist-examples/${name}.conflist`);
  const isOverlay = file['networkType'] === 'Overlay';
  const range = { subnet: `${prefix}.0/24`, rangeStart: `${prefix}.3` };
  return {
    ...file,
    subnets: [{ subnet: `${prefix}.0/24`, ...(isOverlay && { vsid: 4096 }) }],
    ...(!isOverlay && { hostEndpoint: { address: `${prefix}.2` } }),
    ipam: { type: 'host-local', ranges: [[range]] },
    remoteSubnets,
  };
}

/** Runs win-hcn on a node, with its file. */
async function run(index: number, config: object, ...words: readonly string[]): Promise<string> {
  const files = { '10-win-hcn.conf': JSON.stringify(config) };
  const printed = await runCli(words, { files, system: nodes[index]?.outside ?? {} });
  expect(printed, `${words.join(' ')}: ${printed.stderr}`).toMatchObject({ exitCode: 0 });
  return printed.stdout;
}

type Side = Readonly<Record<string, string>>;

/** Steps 2 to 4 on both nodes, with an entry for the Linux node, then a pod on each. Returns what the nodes describe. */
async function connect(name: string, linux: object): Promise<readonly Side[]> {
  const sides: Side[] = [];
  for (const index of nodes.keys()) {
    const config = fileOf(name, index, []);
    await run(index, config, 'network', 'ensure', '10-win-hcn.conf', '--yes');
    sides.push(
      ...JSON.parse(await run(index, config, 'network', 'describe', '10-win-hcn.conf', '-o', 'json'))
        .remoteSubnets,
    );
  }
  for (const [index, node] of nodes.entries()) {
    const config = fileOf(name, index, [linux, ...sides.filter((_, other) => other !== index)]);
    await run(index, config, 'network', 'sync', '10-win-hcn.conf', '--yes');
    const added = await node.add(config);
    expect(added).toMatchObject({ exitCode: 0, log: '' });
    expect(await run(index, config, 'network', 'sync', '10-win-hcn.conf')).toBe('Nothing to change.\n');
  }
  return sides;
}

describe('static routes without an agent', () => {
  test('connect pods, nodes and the outside on Overlay networks', async () => {
    const sides = await connect('static-overlay', {
      subnet: '10.244.0.0/24',
      providerAddress: linuxAddress,
      macAddress: linuxMac,
    });
    const remotes = sides.map(({ subnet = '', macAddress: mac = '', providerAddress: publicIp = '' }) => ({
      ...{ subnet, mac, publicIp },
    }));
    const vtep = { address: '10.244.0.0', mac: linuxMac, vni: 4096, remotes };
    const cluster = clusterWith(nodes, { vtep });
    for (const [from, to, as] of needed) expectReach(cluster, from, to, { as });
    expectReach(cluster, 'linux', '10.244.1.10:80', { as: '10.244.0.0' });
  });

  test('connect pods, nodes and the outside on L2Bridge networks, and sync restores the routes after a reboot', async () => {
    const linux = { subnet: '10.244.0.0/24', nextHop: linuxAddress };
    const sides = await connect('static-routes', linux);
    const routes = sides.map(({ subnet: prefix = '', nextHop = '' }) => ({ prefix, nextHop }));
    const cluster = () => clusterWith(nodes, { routes });
    for (const [from, to, as] of needed) expectReach(cluster(), from, to, { as });
    expectReach(cluster(), 'win-1', '10.244.2.10:80', { as: '10.0.0.11' });

    nodes[0]?.hns.reboot();
    const { outcome, worst } = journey(cluster(), '10.244.1.10', '10.244.2.10:80');
    expect({ outcome, because: worst.because }).toEqual({
      outcome: 'lost',
      because: 'The router has no route to 10.244.2.10.',
    });
    const config = fileOf('static-routes', 0, [linux, ...sides.slice(1)]);
    await run(0, config, 'network', 'sync', '10-win-hcn.conf', '--yes');
    expectReach(cluster(), '10.244.1.10', '10.244.2.10:80');
  });
});
