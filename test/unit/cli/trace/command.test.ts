import { describe, expect, test } from 'vitest';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState } from '../../../cluster/states.ts';
import { type CliNodeOptions, cliNode } from '../node-without-hns.ts';

const guid = (n: number) => `a7a2c4b0-0000-4000-8000-00000000000${n}`;
const network = guid(0);
const [hostNamespace, podNamespace, secondNamespace] = [guid(8), guid(9), guid(7)];
const state = bridgeState(1);
const ids: Readonly<Record<string, string>> = { 'pod-1': guid(1), 'host-1': guid(2) };
const endpoints = state.inventory.endpoints.map((one) => ({
  ...one,
  ID: ids[one.ID] ?? one.ID,
  Name: one.ID === 'pod-1' ? '0e12d1_cbr0' : one.Name,
  HostComputeNetwork: network,
  HostComputeNamespace: one.ID === 'pod-1' ? podNamespace : hostNamespace,
  MacAddress: one.ID === 'pod-1' ? '00-15-5D-52-C0-00' : '00-15-5D-52-C0-02',
}));
const second: ObservedEndpoint = {
  ID: guid(3),
  Name: 'a91100_cbr0',
  HostComputeNetwork: network,
  HostComputeNamespace: secondNamespace,
  MacAddress: '00-15-5D-52-C0-03',
  IpConfigurations: ['10.244.1.6', 'fd00:1::6'].map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
  SchemaVersion: { Major: 2, Minor: 0 },
};
const options: CliNodeOptions = {
  networks: state.inventory.networks.map((one) => ({ ...one, ID: network })),
  endpoints: [...endpoints, second],
  namespaces: [
    { ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1 },
    ...[podNamespace, secondNamespace].map((ID) => ({ ID, Type: 'Host', NamespaceId: 2 })),
  ],
  adapters: state.adapters,
};
const forwarding = JSON.stringify({
  interfaces: [5, 9].map((index) => ({ index, isIPv6: false, forwarding: true })),
});

function trace(words: string, changes: CliNodeOptions = {}, stdout = forwarding) {
  const node = cliNode({ ...options, ...changes });
  node.routes.push(...state.routes.map((route) => ({ ...route, protocol: 3 })));
  return node.run(`trace ${words}`, { powershell: () => ({ stdout }) });
}
/** The first lines of each trace: those before its table. */
async function says(words: string, changes?: CliNodeOptions, stdout?: string) {
  const printed = await trace(words, changes, stdout);
  const parts = printed.stdout.trimEnd().split('\n\n');
  return {
    exitCode: printed.exitCode,
    ...(printed.stderr !== '' && { stderr: printed.stderr }),
    says: parts.map((part) => part.split('\n')[0]),
  };
}

describe('trace of a sender', () => {
  test.each([
    ['10.244.1.5 10.244.1.6', 'endpoint a7a2c4b0 on cbr0, 10.244.1.5 -> 10.244.1.6/icmp'],
    ['Node 10.244.1.5', 'this node -> 10.244.1.5/icmp'],
    ['10.0.0.1 10.244.1.5', 'this node -> 10.244.1.5/icmp'],
    ['10.0.0.9 10.244.1.5', '10.0.0.9 -> 10.244.1.5/icmp'],
  ])('%s', async (words, expected) => {
    expect(await says(words)).toMatchObject({ exitCode: 0, says: { 1: expected } });
  });

  test('proposes to record the packets if they do not arrive, and no endpoint is missing', async () => {
    const see = async (words: string) =>
      (await trace(words)).stdout.split('\n').filter((line) => line.startsWith('see: '));
    expect(await see('node fd00:1::6')).toEqual(['see: win-hcn trace node fd00:1::6 --live 10']);
    expect(await see('0e12d1 10.244.1.77:80')).toEqual([]);
    expect(await see('0e12d1 10.244.1.6')).toEqual([]);
  });

  test('traces one packet for each address that it can reach', async () => {
    const verdicts = async (words: string) =>
      JSON.parse((await trace(`${words} -o json`)).stdout).traces.map(
        (one: { readonly summary: readonly string[] }) => one.summary[0],
      );
    expect(await verdicts('node a91100')).toEqual([
      'Arrives at endpoint a7a2c4b0.',
      'Lost. The node has no route to fd00:1::6.',
    ]);
    expect(await verdicts('0e12d1 a91100')).toEqual(['Arrives at endpoint a7a2c4b0.']);
    expect(await verdicts('fd00::9 0e12d1')).toEqual([
      'No adapter of this node receives packets for 10.244.1.5 from this sender.',
    ]);
  });
});

describe('trace exits with 1', () => {
  test('if a path is unknown, and lists what could not be read', async () => {
    expect(await says('0e12d1 10.244.2.5', {}, 'nothing')).toEqual({
      exitCode: 1,
      stderr:
        'win-hcn: the IP forwarding of the node could not be read: PowerShell printed unexpected output: nothing\n',
      says: [
        'Unknown. Whether IPv4 forwarding is enabled on "vEthernet (cbr0_ep)" is not known.',
        'endpoint a7a2c4b0 on cbr0, 10.244.1.5 -> 10.244.2.5/icmp',
        'see: win-hcn trace 0e12d1 10.244.2.5 --live 10',
      ],
    });
  });

  test('if only routes cannot be read', async () => {
    const routesError = new Error('GetIpForwardTable2 is missing');
    expect((await says('node 8.8.8.8', { routesError })).says[0]).toBe(
      'Unknown. What happens depends on the routes of the node, which could not be read.',
    );
  });

  test('if adapters and routes cannot be read', async () => {
    const ipHelperError = new Error('GetIfTable2 is missing');
    expect(await says('node 8.8.8.8', { ipHelperError })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'win-hcn: the routes of the node could not be read: GetIfTable2 is missing',
      ),
      says: [
        'Unknown. What happens depends on the network adapters of the node, which could not be read.',
        'this node -> 8.8.8.8/icmp',
        'see: win-hcn trace node 8.8.8.8 --live 10',
      ],
    });
  });

  test.each([
    ['web 10.244.1.6', ''],
    [
      '0e12d1 web',
      '; pods of other nodes and services need their address (kubectl get pods,services --all-namespaces -o wide)',
    ],
  ])('for an unknown pod: %s', async (words, fix) => {
    const stderr = `win-hcn: HCN has no pod "web", or its name is unknown${fix}. Run win-hcn ls --remote to list all objects.\n`;
    expect(await trace(words)).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});

test('trace exits with 2 for a destination with an invalid port', async () => {
  const { exitCode, stderr } = await trace('0e12d1 a91100:0');
  expect([exitCode, stderr.split('.')[0]]).toEqual([2, 'win-hcn: invalid address "a91100:0"']);
});
