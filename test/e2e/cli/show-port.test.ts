import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, legacy, other, remote, startInventoryNode, web } from './inventory-node.ts';
import { failure, problem, runCli, success } from './run-cli.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const mapping = (ExternalPort: number, InternalPort: number, more: object = {}) => ({
  Type: 'PortMapping',
  Settings: { Protocol: 6, InternalPort, ExternalPort, ...more },
});

/** What Windows returns for a port. */
const nodePorts = (more: object = {}) => ({
  holders: [],
  hasMappings: true,
  excluded: [
    {
      protocol: 'tcp',
      lines: ['Protocol tcp Port Exclusion Ranges', '', '      50000        50063     *', ''],
    },
    { protocol: 'udp', lines: [] },
  ],
  ...more,
});
const process = (protocol: string, address: string, holder: string, use: string) => ({
  protocol,
  address,
  holder,
  use,
});

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const showPort = (key: string, ports: object = nodePorts(), ...words: readonly string[]) =>
  runCli(['show', 'port', key, ...words], {
    system: node.outside,
    powershell: () => ({ stdout: JSON.stringify(ports) }),
  });

describe('show port finds', () => {
  test('port mappings and processes, and reports equal ones once', async () => {
    await node.hcn.addPolicies(web, [mapping(8080, 80), mapping(8443, 443)]);
    await node.hcn.addPolicies(legacy, [mapping(8080, 80, { VIP: '10.0.0.4' })]);
    const holders = ['0.0.0.0', '::'].map((any) => process('tcp', any, 'process nginx (4242)', 'Listen'));
    expect(await showPort('8080', nodePorts({ holders }))).toEqual(
      success(
        'Host port 8080/tcp is used by endpoint 5efcf8b5 of container 0e12d1d5a8cfb, endpoint a1e6032f of container c0ffee and process nginx (4242).',
        'Host port 8080/udp is free.',
        '',
        'protocol  address   holder                                        use',
        'tcp       any       endpoint 5efcf8b5 of container 0e12d1d5a8cfb  tcp 8080 -> 80 (node)',
        'tcp       10.0.0.4  endpoint a1e6032f of container c0ffee         tcp 10.0.0.4:8080 -> 80; leftover: in no namespace',
        'tcp       any       process nginx (4242)                          Listen',
      ),
    );
  });

  test('load balancers on the node and on other addresses', async () => {
    await node.hcn.createLoadBalancer('e5e6032f-bbf7-4b5a-880f-667bebc65505', {
      HostComputeEndpoints: [remote],
      PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
      SchemaVersion,
    });
    expect(await showPort('tcp/80')).toEqual(
      success(
        'Host port 80/tcp is used by load balancer d4e6032f and load balancer e5e6032f.',
        '',
        'protocol  address     holder                  use',
        'tcp       10.96.0.10  load balancer d4e6032f  80->8080/tcp',
        'tcp       any         load balancer e5e6032f  80->8080/tcp',
      ),
    );
  });

  test('an excluded range, and only what has the wanted protocol', async () => {
    const holders = [process('udp', '::', 'process svchost (900)', 'Bound')];
    const range =
      'tcp       any      excluded port range 50000 to 50063  reserved by Windows, HNS or an administrator';
    expect(await showPort('50063', nodePorts({ holders }))).toEqual(
      success(
        'Host port 50063/tcp is used by excluded port range 50000 to 50063.',
        'Host port 50063/udp is used by process svchost (900).',
        '',
        'protocol  address  holder                              use',
        'udp       any      process svchost (900)               Bound',
        range,
      ),
    );
    expect((await showPort('50000/tcp', nodePorts({ holders }))).stdout.split('\n')[3]).toBe(range);
    expect(await showPort('50064', nodePorts())).toEqual(
      success('Host port 50064/tcp is free.', 'Host port 50064/udp is free.'),
    );
  });

  test('the same as JSON', async () => {
    await node.hcn.addPolicies(other, [mapping(8080, 80)]);
    const { stdout, ...rest } = await showPort('8080', nodePorts(), '-o', 'json');
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      kind: 'port',
      port: 8080,
      held: { tcp: 'yes', udp: 'no' },
      holders: [process('tcp', 'any', 'endpoint c3e6032f', 'tcp 8080 -> 80 (node)')],
      unchecked: [],
    });
  });
});

describe('show port reports', () => {
  const maybeFree =
    'Host port 8080/tcp may be free: no holder was found, but not everything could be checked.';

  test('that nothing of Windows could be checked, with exit code 1 if it found no holder', async () => {
    const show = () => runCli(['show', 'port', '8080/tcp'], { system: node.outside });
    const unchecked =
      'Not checked: processes, NetNat and excluded port ranges (cannot run PowerShell: ENOENT).';
    expect(await show()).toEqual(problem(maybeFree, unchecked));
    await node.hcn.addPolicies(other, [mapping(8080, 80)]);
    expect(await show()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`endpoint c3e6032f.\n${unchecked}\n`),
    });
  });

  test('that NetNat or an object of HCN could not be checked', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80070005 } });
    const { exitCode, stdout } = await showPort('8080/tcp', nodePorts({ hasMappings: false }));
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: `${maybeFree}\nNot checked: objects that HCN does not return; NetNat (Get-NetNatStaticMapping failed).\n`,
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
  await node.hcn.addPolicies(other, [mapping(8080, 80)]);
  const network = '259f4964-2dff-5b46-92f1-633319a59298';
  const creating = node.hcn.createEndpoint(network, 'a9e6032f-bbf7-4b5a-880f-667bebc65509', {
    Name: 'second',
    HostComputeNetwork: network,
    Policies: [mapping(8080, 80), mapping(8443, 443)],
    SchemaVersion,
  });
  await expect(creating).rejects.toThrow(
    'Run win-hcn show port 8080 (or 8443) to see what uses the host port.',
  );
});
