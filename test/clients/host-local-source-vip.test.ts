import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId } from '../../src/model/identity.ts';
import { system } from '../../src/system.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Node, startNode } from '../e2e/node.ts';
import { debianPlugins, debianPluginsMissing } from './debian-plugins.ts';

describe.skipIf(debianPluginsMissing() !== undefined)("kube-proxy's source VIP with host-local", () => {
  let node: Node;
  let dataDir: string;
  beforeEach(async () => {
    node = await startNode();
    dataDir = mkdtempSync(join(tmpdir(), 'win-hcn-leases-'));
  });
  afterEach(async () => {
    await node.stop();
    rmSync(dataDir, { recursive: true });
  });

  const config = () => ({
    cniVersion: '1.0.0',
    name: 'vxlan0',
    type: 'win-hcn',
    networkType: 'Overlay',
    adapter: 'Ethernet',
    subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
    ipam: { type: 'host-local', dataDir, ranges: [[{ subnet: '10.244.1.0/24' }]] },
    sourceVip: true,
  });
  const leases = (): Readonly<Record<string, string>> => {
    const folder = join(dataDir, 'vxlan0');
    const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.startsWith('10.'));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  };

  /** Runs `network` with the real host-local, whose store has the path that it would have on Windows. */
  const network = async (...words: readonly string[]): Promise<string> => {
    const store = `C:${dataDir.replaceAll('/', '\\')}\\vxlan0`;
    const files = Object.entries(leases()).map(([name, text]) => [`${store}\\${name}`, text]);
    const { spawn, isFile } = system;
    const { exitCode, stdout, stderr } = await runCli(
      ['network', ...words, 'net.conf', '--cni-path', debianPlugins, '--yes'],
      {
        files: { 'net.conf': JSON.stringify(config()), ...Object.fromEntries(files) },
        system: { ...node.outside, spawn, isFile },
      },
    );
    expect(`${exitCode} ${stderr}`).toMatch(/^0 /);
    return stdout;
  };
  const start = 'start kube-proxy with --source-vip=10.244.1.2\n';
  const ofSourceVip = { '10.244.1.2': 'kube-proxy\r\nsource-vip' };

  /** Runs ADD of host-local for a pod and returns the address. */
  const podAddress = (): unknown => {
    const { stdout } = spawnSync(join(debianPlugins, 'host-local'), {
      input: JSON.stringify(config()),
      env: {
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'pod1',
        CNI_NETNS: 'pod1',
        CNI_IFNAME: 'eth0',
        CNI_PATH: debianPlugins,
      },
      encoding: 'utf8',
    });
    return JSON.parse(stdout).ips[0].address;
  };

  test('is reserved once, no pod gets it, and network delete releases it', async () => {
    expect(await network('ensure')).toContain(`source VIP 10.244.1.2 on it was created\n${start}`);
    expect(leases()).toEqual(ofSourceVip);
    expect(await network('ensure')).toContain(`source VIP 10.244.1.2 on it exists as configured\n${start}`);
    expect(podAddress()).toBe('10.244.1.3/24');
    await network('delete');
    expect(leases()).toEqual({ '10.244.1.3': 'pod1\r\neth0' });
  });

  test('keeps its address when the network is created again, and when its reservation is lost', async () => {
    await network('ensure');
    await node.hcn.deleteNetwork(networkId('vxlan0'));
    expect(await network('ensure')).toContain(`source VIP 10.244.1.2 on it was created\n${start}`);
    rmSync(join(dataDir, 'vxlan0'), { recursive: true });
    expect(podAddress()).toBe('10.244.1.2/24');
    rmSync(join(dataDir, 'vxlan0'), { recursive: true });
    expect(await network('ensure')).toContain(`source VIP 10.244.1.2 on it exists as configured\n${start}`);
    expect(leases()).toEqual(ofSourceVip);
  });
});
