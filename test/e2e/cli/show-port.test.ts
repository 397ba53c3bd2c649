import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InventoryNode, legacy, other, startInventoryNode, web } from './inventory-node.ts';
import { problem, runCli, success } from './run-cli.ts';

const mapping = (ExternalPort: number, InternalPort: number, more: object = {}) => ({
  Type: 'PortMapping',
  Settings: { Protocol: 6, InternalPort, ExternalPort, ...more },
});

/** What Windows returns for a port. */
const nodePorts = {
  mappings: ['nat: TCP 0.0.0.0 to 172.28.0.2 port 80'],
  excluded: [
    {
      protocol: 'tcp',
      lines: ['Protocol tcp Port Exclusion Ranges', '', '      50000        50063     *', ''],
    },
    { protocol: 'udp', lines: [] },
  ],
};

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const showPort = (key: string, ports: object = nodePorts, ...words: readonly string[]) =>
  runCli(['show', 'port', key, ...words], {
    system: node.outside,
    powershell: () => ({ stdout: JSON.stringify(ports) }),
  });
const processes = (port: number) =>
  `For processes, run Get-NetTCPConnection -LocalPort ${port} or Get-NetUDPEndpoint -LocalPort ${port}.`;

test('show port finds port mappings in HCN and NetNat', async () => {
  await node.hcn.addPolicies(web, [mapping(8080, 80), mapping(8443, 443)]);
  await node.hcn.addPolicies(legacy, [mapping(8080, 80, { VIP: '10.0.0.4' })]);
  expect(await showPort('8080')).toEqual(
    success(
      'holder                             use',
      'endpoint 5efcf8b5 (0e12d1d5a8cfb)  Protocol=6; InternalPort=80; ExternalPort=8080',
      'endpoint a1e6032f (c0ffee)         Protocol=6; InternalPort=80; ExternalPort=8080; VIP=10.0.0.4; leftover: in no namespace',
      'NetNat static mapping              nat: TCP 0.0.0.0 to 172.28.0.2 port 80',
      processes(8080),
    ),
  );
});

test.each([
  ['80', 'load balancer d4e6032f', '80->8080/tcp on 10.96.0.10'],
  ['50000', 'excluded tcp port range 50000 to 50063', 'reserved by Windows, HNS or an administrator'],
  ['50063', 'excluded tcp port range 50000 to 50063', 'reserved by Windows, HNS or an administrator'],
])('show port %s -o json finds a load balancer or excluded range', async (port, holder, use) => {
  const { stdout } = await showPort(port, { ...nodePorts, mappings: [] }, '-o', 'json');
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    kind: 'port',
    port: Number(port),
    holders: [{ holder, use }],
    notChecked: [],
  });
});

test('show port finds no holder', async () => {
  expect(await showPort('50064', { ...nodePorts, mappings: [] })).toEqual(
    success('No holder of host port 50064 was found.', processes(50064)),
  );
});

test('show port exits with 1 if it could not check everything', async () => {
  node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80070005 } });
  const { stderr: _, ...printed } = await runCli(['show', 'port', '8080'], { system: node.outside });
  const { stderr: __, ...expected } = problem(
    'No holder of host port 8080 was found.',
    'Not checked: objects that HCN does not return; NetNat and excluded port ranges (cannot run PowerShell: ENOENT).',
    processes(8080),
  );
  expect(printed).toEqual(expected);
});

test('the errors of a port conflict name the command, with the host port', async () => {
  await node.hcn.addPolicies(other, [mapping(8080, 80)]);
  const network = '259f4964-2dff-5b46-92f1-633319a59298';
  const creating = node.hcn.createEndpoint(network, 'a9e6032f-bbf7-4b5a-880f-667bebc65509', {
    Name: 'second',
    HostComputeNetwork: network,
    Policies: [mapping(8080, 80), mapping(8443, 443)],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  await expect(creating).rejects.toThrow('Run win-hcn show port 8080 (or 8443) to see what uses it.');
});
