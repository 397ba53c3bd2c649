import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, legacy, other, remote, startInventoryNode, web } from './inventory-node.ts';
import { failure, problem, runCli, success } from './run-cli.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const mapping = (ExternalPort: number, InternalPort: number, more: object = {}) => ({
  Type: 'PortMapping',
  Settings: { Protocol: 6, InternalPort, ExternalPort, ...more },
});
const range = (first: number, last: number) => `      ${first}        ${last}     *`;

/** What Windows returns for a port. */
function nodePorts(more: object = {}) {
  const excluded = [
    { protocol: 'tcp', lines: ['Protocol tcp Port Exclusion Ranges', '', range(50_000, 50_063), ''] },
    { protocol: 'udp', lines: [] },
  ];
  return { sockets: [], mappings: [], hasMappings: true, excluded, ...more };
}
const socket = (state: string, process: number, program: string, address = '0.0.0.0', protocol = 'tcp') => ({
  protocol,
  address,
  state,
  process,
  program,
});

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const showPort = (key: string, ports: object | undefined = nodePorts(), ...words: readonly string[]) =>
  runCli(['show', 'port', key, ...words], {
    system: node.outside,
    powershell: () => ({ stdout: JSON.stringify(ports) }),
  });

describe('show port finds', () => {
  test('the port mapping of a pod and the process that holds the port, too', async () => {
    await node.hcn.addPolicies(web, [mapping(8080, 80), mapping(8443, 443)]);
    const sockets = [
      socket('Listen', 4242, 'nginx'),
      socket('Established', 4242, 'nginx', '10.0.0.4'),
      socket('Listen', 4242, 'nginx', '::'),
    ];
    expect(await showPort('8080', nodePorts({ sockets }))).toEqual(
      success(
        'Host port 8080/tcp is used by endpoint 5efcf8b5 of container 0e12d1d5a8cfb and process nginx (4242).',
        'Host port 8080/udp is free.',
        '',
        'protocol  address  holder                                        use',
        'tcp       any      endpoint 5efcf8b5 of container 0e12d1d5a8cfb  tcp 8080 -> 80 (node)',
        'tcp       any      process nginx (4242)                          listens',
      ),
    );
  });

  test('the leftover that holds the port', async () => {
    await node.hcn.addPolicies(legacy, [mapping(8080, 80, { VIP: '10.0.0.4' })]);
    expect(await showPort('tcp/8080')).toEqual(
      success(
        'Host port 8080/tcp is used on single addresses only, by endpoint a1e6032f of container c0ffee on 10.0.0.4.',
        '',
        'protocol  address   holder                                 use',
        'tcp       10.0.0.4  endpoint a1e6032f of container c0ffee  tcp 10.0.0.4:8080 -> 80; leftover: in no namespace',
      ),
    );
  });

  test('load balancers on the node and on other addresses', async () => {
    await node.hcn.createLoadBalancer('e5e6032f-bbf7-4b5a-880f-667bebc65505', {
      HostComputeEndpoints: [remote],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
      SchemaVersion,
    });
    expect(await showPort('80/tcp')).toEqual(
      success(
        'Host port 80/tcp is used by load balancer e5e6032f and load balancer d4e6032f on 10.96.0.10.',
        '',
        'protocol  address     holder                  use',
        'tcp       10.96.0.10  load balancer d4e6032f  80->8080/tcp',
        'tcp       any         load balancer e5e6032f  80->8080/tcp',
      ),
    );
  });

  test('a NetNat mapping, an excluded range, and sockets of other states', async () => {
    const sockets = [
      socket('', 900, 'svchost', '::', 'udp'),
      socket('Established', 77, '', '10.0.0.4'),
      socket('Established', 77, '', '10.0.0.4'),
    ];
    const mappings = [
      { protocol: 'tcp', address: '0.0.0.0/0', nat: 'nat', internalAddress: '172.20.0.9', internalPort: 80 },
    ];
    expect(await showPort('50001', nodePorts({ sockets, mappings }))).toEqual(
      success(
        'Host port 50001/tcp is used by NetNat "nat", excluded port range 50000 to 50063 and process 77 on 10.0.0.4.',
        'Host port 50001/udp is used by process svchost (900).',
        '',
        'protocol  address   holder                              use',
        'tcp       any       NetNat "nat"                        static mapping to 172.20.0.9:80',
        'udp       any       process svchost (900)               bound',
        'tcp       10.0.0.4  process 77                          connection (Established)',
        'tcp       any       excluded port range 50000 to 50063  reserved by Windows, HNS or an administrator',
      ),
    );
  });

  test('more holders than a sentence names', async () => {
    const sockets = [1, 2, 3, 4].map((process) => socket('Listen', process, 'web', `10.0.0.${process}`));
    expect((await showPort('8080/tcp', nodePorts({ sockets }))).stdout.split('\n')[0]).toBe(
      'Host port 8080/tcp is used on single addresses only, by process web (1) on 10.0.0.1, process web (2) on 10.0.0.2 and 2 others.',
    );
  });

  test('nothing for a port that is free', async () => {
    expect(await showPort('9/UDP')).toEqual(success('Host port 9/udp is free.'));
  });

  test('the same as JSON', async () => {
    await node.hcn.addPolicies(other, [mapping(8080, 80)]);
    const { stdout, ...rest } = await showPort('8080/tcp', nodePorts(), '-o', 'json');
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      kind: 'port',
      port: 8080,
      verdicts: [{ protocol: 'tcp', held: 'yes', text: 'Host port 8080/tcp is used by endpoint c3e6032f.' }],
      holders: [
        {
          kind: 'endpoint',
          id: other,
          name: 'endpoint c3e6032f',
          protocol: 'tcp',
          address: 'any',
          use: 'tcp 8080 -> 80 (node)',
        },
      ],
      unchecked: [],
    });
  });
});

describe('show port reports', () => {
  test('that processes could not be checked, with exit code 1 if it found no holder', async () => {
    const without = (key: string) => runCli(['show', 'port', key], { system: node.outside });
    const unchecked =
      'Not checked: processes, NetNat and excluded port ranges (cannot run PowerShell: ENOENT).';
    expect(await without('8080/tcp')).toEqual(
      problem(
        'Host port 8080/tcp may be free: no holder was found, but not everything could be checked.',
        unchecked,
      ),
    );
    await node.hcn.addPolicies(other, [mapping(8080, 80)]);
    expect(await without('8080/tcp')).toEqual(
      success(
        'Host port 8080/tcp is used by endpoint c3e6032f.',
        unchecked,
        '',
        'protocol  address  holder             use',
        'tcp       any      endpoint c3e6032f  tcp 8080 -> 80 (node)',
      ),
    );
  });

  test('that NetNat could not be checked', async () => {
    expect(await showPort('8080/tcp', nodePorts({ hasMappings: false }))).toEqual(
      problem(
        'Host port 8080/tcp may be free: no holder was found, but not everything could be checked.',
        'Not checked: NetNat (Get-NetNatStaticMapping failed).',
      ),
    );
  });

  test('objects that HCN does not return', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80070005 } });
    const { exitCode, stdout } = await showPort('8080/tcp');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout:
        'Host port 8080/tcp may be free: no holder was found, but not everything could be checked.\nNot checked: objects that HCN does not return.\n',
    });
  });

  test.each(['0', '65536', 'web', '80/icmp', '80/tcp/udp', '80/80', 'tcp', '80/'])(
    'that %s is no port',
    async (key) => {
      expect(await showPort(key)).toEqual(
        failure(
          2,
          `win-hcn: "${key}" is not a port. Use PORT, PORT/tcp or PORT/udp.`,
          "Run 'win-hcn show --help' for usage.",
        ),
      );
    },
  );
});

test('the errors of a port conflict name the command, with the host port', async () => {
  const create = () =>
    node.hcn.createEndpoint('259f4964-2dff-5b46-92f1-633319a59298', 'a9e6032f-bbf7-4b5a-880f-667bebc65509', {
      Name: 'second',
      HostComputeNetwork: '259f4964-2dff-5b46-92f1-633319a59298',
      Policies: [mapping(8080, 80), mapping(8443, 443)],
      SchemaVersion,
    });
  await node.hcn.addPolicies(other, [mapping(8080, 80)]);
  await expect(create()).rejects.toThrow(
    'Run win-hcn show port 8080 (or 8443) to see what uses the host port. Free the port, or use another one. HNS may take up to 70 s to release the port of a deleted pod.',
  );
});
