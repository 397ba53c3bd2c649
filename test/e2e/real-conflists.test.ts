import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runCli } from './cli/run-cli.ts';
import { type Node, startNode } from './node.ts';

const folder = 'test/real/conflists';

/** The plugin's configuration of a conflist for real nodes, as libcni derives it, without its log file on Windows. */
function configOf(name: string): Readonly<Record<string, unknown>> {
  const { plugins, ...list } = JSON.parse(readFileSync(`${folder}/${name}.conflist`, 'utf8'));
  return { ...plugins[0], cniVersion: list.cniVersion, name: list.name, logFile: '' };
}

test.each(readdirSync(folder))('validate finds no problem in %s', async (file) => {
  const { exitCode, stdout } = await runCli(['config', 'check', file], {
    files: { [file]: readFileSync(`${folder}/${file}`) },
  });
  expect({ exitCode, lastLine: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    exitCode: 0,
    lastLine: `${file}: no problems`,
  });
});

describe.each(['ws2022', 'ws2025'] as const)('on %s', (profile) => {
  let node: Node | undefined;
  afterEach(() => node?.stop());

  async function start(): Promise<Node> {
    const adapters = [
      { name: 'Ethernet', managementIp: '10.0.0.4' },
      { name: 'win-hcn-real', managementIp: '10.251.41.1' },
    ];
    node = await startNode({ adapters, profile });
    return node;
  }

  test("the node's endpoint on the loopback adapter is the gateway of l2bridge", async () => {
    const { add, hns } = await start();
    const { json } = await add(configOf('l2bridge'));
    expect(json.ips).toEqual([{ address: '10.251.40.3/24', gateway: '10.251.40.2', interface: 0 }]);
    const [network] = hns.dump().networks;
    expect(network).toMatchObject({
      Name: 'win-hcn-real-l2bridge',
      Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'win-hcn-real' } }],
    });
    expect(hns.hostInterfaces().find(({ addresses }) => addresses.includes('10.251.40.2/24'))).toMatchObject({
      alias: 'vEthernet (win-hcn-real-l2bridge_ep)',
      gateways: [],
    });
  });

  test('nat uses the network that Docker created', async () => {
    const { add, hcn, hns } = await start();
    await hcn.createNetwork('b95d0c5e-57d4-412b-b571-18a81a16e005', {
      Name: 'nat',
      Type: 'NAT',
      Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '172.29.0.0/20' }] }],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    const { exitCode, json } = await add(configOf('nat'));
    expect(exitCode).toBe(0);
    expect(json.ips[0].address).toMatch(/^172\.29\.0\.\d+\/20$/);
    expect(hns.dump().networks).toHaveLength(1);
  });
});
