import { afterEach, describe, expect, test } from 'vitest';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type Node, startNode } from '../node.ts';
import { config, doctorEnvironment, healthy, sick, sickFiles, withoutPowerShell } from './doctor-node.ts';
import { type Printed, runCli, success } from './run-cli.ts';

let node: Node;
afterEach(() => node.stop());

/** Starts a node and adds a pod. */
async function start(options: HnsOptions = {}): Promise<Node> {
  node = await startNode(options);
  const { stdout, exitCode } = await node.add(config);
  if (exitCode !== 0) throw new Error(`ADD failed: ${stdout}`);
  return node;
}

/** Starts a node with a leftover, an endpoint that HNS could not program, and kube-proxy's remote endpoint with the same address. */
async function startSickNode(): Promise<void> {
  const { hns, hcn } = await start({ profile: 'ws2022', switches: { duplicateRemoteAddress: 'accepted' } });
  const { networks, endpoints } = hns.dump();
  const [network, pod] = [String(networks[0]?.['ID']), String(endpoints[1]?.['ID'])];
  await hcn.createEndpoint(network, 'b2e6032f-bbf7-4b5a-880f-667bebc65502', {
    Name: 'remote_10.244.1.3',
    HostComputeNetwork: network,
    IpConfigurations: [{ IpAddress: '10.244.1.3' }],
    MacAddress: '02-11-0A-F4-01-03',
    Flags: 1,
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const gone = node.newPod('gone');
  await node.add(config, gone);
  await hcn.deleteNamespace(gone.netns);
  const unhealthy = { id: pod, state: 5, lastErrorCode: hresultOf('HCN_E_DEGRADED_OPERATION') };
  hns.inject({ function: 'HcnOpenEndpoint', effect: { unhealthy } });
}

/** The report on a healthy node. */
const healthyLines = [
  'PASS     elevation           NT AUTHORITY\\SYSTEM is elevated',
  'PASS     Windows             Microsoft Windows Server 2025 Datacenter, build 26100.32690: none of 5 known faults',
  'PASS     HNS service         running, process 1716, 71 threads, start type Manual',
  'PASS     HCN                 HNS 15.5',
  'PASS     containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d; C:\\Program Files\\containerd\\config.toml',
  'PASS     active conf         C:\\etc\\cni\\net.d\\10-win-hcn.conflist: network "l2bridge", plugin win-hcn',
  'PASS     configuration       10-win-hcn.conflist is valid: keys, values, ranges, capabilities',
  'PASS     plugins             C:\\opt\\cni\\bin\\win-hcn.exe',
  'PASS     access              only administrators and SYSTEM can modify win-hcn, its configuration and its log (5 paths checked)',
  'PASS     network             "l2bridge" (L2Bridge) as configured: type, adapter, subnets, gateways, VLAN, VSID',
  'PASS     management address  network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4',
  'PASS     default route       via 10.0.0.1 on "vEthernet (Ethernet)"',
  'PASS     host endpoint       the node has 10.244.1.2 on "l2bridge"',
  'PASS     IP forwarding       on for "vEthernet (l2bridge_ep)" and "vEthernet (Ethernet)"',
  'PASS     other routes        no route on another adapter leads into 10.244.1.0/24',
  'PASS     ports               TCP 49152 to 65535: 254 of 256 blocks of 64 ports are free',
  'PASS     ports               UDP 49152 to 65535: 256 of 256 blocks of 64 ports are free',
  'PASS     leftover endpoints  0 of 2 local endpoints',
  'PASS     endpoint health     0 of 2 degraded',
  'PASS     addresses           2 addresses and local MAC addresses, no duplicates',
  'PASS     pods                1 endpoint as ADD creates them with 10-win-hcn.conflist: prefix length, gateway, routes, EncapOverhead',
  'PASS     paths               no predicted loss on this node for 1 endpoint: to other networks (IPv4), from the node',
  'PASS     log                 0 of 2 requests failed in the last 24 hours (C:\\ProgramData\\win-hcn\\logs\\win-hcn.log)',
];

/** That report with other lines for some checks, such as `FAIL hns is stopped` and `fix: Start-Service hns`. */
function report(different: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const names = healthyLines.map((line) => line.slice(9, 29).trimEnd());
  const lines = names.flatMap((name, index) => {
    const others = different[name];
    if (others === undefined) return [healthyLines[index] ?? ''];
    return names.indexOf(name) === index ? others.map((line) => layOut(name, line)) : [];
  });
  const findings = lines.join('\n').split(/\n(?! )/);
  const having = (verdict: string) => findings.filter((finding) => finding.startsWith(`${verdict} `));
  const [failed, warnings, unknown, passed] = ['FAIL', 'WARN', 'UNKNOWN', 'PASS'].map(having);
  const counts = `${failed?.length} failed, ${warnings?.length} warnings, ${unknown?.length} unknown, ${passed?.length} passed`;
  return [counts, '', ...[failed, warnings, unknown, passed].flatMap((some = []) => some)];
}

function layOut(name: string, line: string): string {
  const [, verdict, seen] = /^(PASS|WARN|FAIL|UNKNOWN) (.*)/s.exec(line) ?? [];
  return verdict === undefined ? `${' '.repeat(29)}${line}` : `${verdict.padEnd(9)}${name.padEnd(20)}${seen}`;
}

/** The output of a command that fails. */
function failed(exitCode: number, lines: readonly string[]): Printed {
  return { ...success(...lines), exitCode };
}

describe('doctor', () => {
  test('passes a healthy node', async () => {
    await start();
    expect(await runCli(['doctor'], doctorEnvironment(node))).toEqual(
      success(`0 failed, 0 warnings, 0 unknown, ${healthyLines.length} passed`, '', ...healthyLines),
    );
  });

  test('exits with 1 if a check fails, and prints the command that fixes it', async () => {
    await startSickNode();
    expect(await runCli(['doctor'], doctorEnvironment(node, sick, sickFiles))).toEqual(
      failed(
        1,
        report({
          paths: ['PASS no predicted loss on this node for 1 endpoint: from the node'],
          elevation: [
            'FAIL WIN-3\\operator is not elevated, and HCN requires administrator rights',
            'fix: Start-Process powershell -Verb RunAs',
          ],
          Windows: [
            'WARN Microsoft Windows Server 2022 Datacenter, build 20348.2582: KB5040437 and later updates may break pod networks; install KB5044281 (20348.2762) or later',
            'see: Get-HotFix | Sort-Object InstalledOn',
          ],
          HCN: ['PASS HNS 13.3'],
          pods: [
            'UNKNOWN 1 endpoint as in 10-win-hcn.conflist, which ADD may not use: prefix length, gateway, routes, EncapOverhead',
          ],
          'HNS service': [
            'WARN running, process 1716, 213 threads, start type Manual; more than 200 threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then run Restart-Service hns -Force',
            'see: Get-Service hns',
          ],
          containerd: [
            'FAIL service containerd is not running',
            'fix: Start-Service containerd',
            'PASS plugins in C:\\k\\bin, configurations in C:\\k\\conf; C:\\k\\config.toml',
          ],
          'active conf': [
            'FAIL C:\\k\\conf\\0-containerd-nat.conf: network "nat", plugin nat; it takes precedence over 10-win-hcn.conflist',
            'fix: Rename-Item C:\\k\\conf\\0-containerd-nat.conf 0-containerd-nat.conf.off',
          ],
          configuration: ['PASS 10-win-hcn.conflist is valid: keys, values, ranges, capabilities'],
          plugins: [
            'FAIL no win-hcn.exe in C:\\k\\bin, which 10-win-hcn.conflist needs',
            'fix: Copy-Item C:\\opt\\cni\\bin\\win-hcn.exe C:\\k\\bin\\win-hcn.exe',
            'FAIL no nat.exe in C:\\k\\bin, which 0-containerd-nat.conf needs',
            'see: Get-ChildItem C:\\k\\bin',
          ],
          access: [
            'FAIL C:\\k can be replaced with its contents by Authenticated Users; remove this right unless other software needs it',
            'see: icacls C:\\k',
            'FAIL C:\\k\\bin can be modified by Users',
            "fix: icacls C:\\k\\bin /setowner '*S-1-5-32-544'; icacls C:\\k\\bin /reset; icacls C:\\k\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'",
            'WARN C:\\ProgramData\\win-hcn can be modified by Users',
            "fix: icacls C:\\ProgramData\\win-hcn /setowner '*S-1-5-32-544'; icacls C:\\ProgramData\\win-hcn /reset; icacls C:\\ProgramData\\win-hcn /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F'",
          ],
          ports: [
            'WARN TCP 49152 to 65535: 8 of 256 blocks of 64 ports are free; HNS needs a block for outbound NAT and for load balancers',
            'see: netsh interface ipv4 show excludedportrange protocol=tcp',
            'FAIL UDP 49152 to 65535: 0 of 256 blocks of 64 ports are free; HNS needs a block for outbound NAT and for load balancers',
            'see: netsh interface ipv4 show excludedportrange protocol=udp',
          ],
          'leftover endpoints': [
            'WARN f472cb12 (container gone): leftover of win-hcn, in no namespace',
            'fix: win-hcn gc --yes',
          ],
          'endpoint health': [
            'FAIL 7a4ff8e8 (container pod1): Degraded, health HCN_E_DEGRADED_OPERATION: recreate the pod',
            'see: win-hcn show endpoint 7a4ff8e8',
          ],
          addresses: [
            'WARN an endpoint of this node and a remote one have 10.244.1.3: 7a4ff8e8 (container pod1) on "l2bridge", b2e6032f on "l2bridge": kube-proxy treats it as a pod on another node',
            'see: win-hcn show ip 10.244.1.3',
          ],
          log: [
            'WARN 1 of 2 requests failed in the last 24 hours, the latest at 2030-01-01T03:00:00.200Z: ADD HNS did not answer',
            'see: Get-Content C:\\ProgramData\\win-hcn\\logs\\win-hcn.log -Tail 40',
          ],
        }),
      ),
    );
  });

  test('reports once that PowerShell is missing and what it cannot check, and runs all other checks', async () => {
    await start();
    const { exitCode, stdout, stderr } = await runCli(['doctor'], withoutPowerShell(node));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const report = stdout.split('\n');
    expect(report.filter((line) => !line.startsWith('PASS'))).toEqual([
      '0 failed, 0 warnings, 2 unknown, 14 passed',
      '',
      'UNKNOWN  elevation           cannot run PowerShell: ENOENT',
      '                             also not checked: Windows, HNS service, access, IP forwarding, ports',
      'UNKNOWN  containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d; C:\\Program Files\\containerd\\config.toml; containerd may use another configuration: its command line is unknown',
      '',
    ]);
  });

  test('exits with 3 if the Host Network Service is stopped, after all other checks', async () => {
    await start();
    const stopped = { ...healthy, service: { ...Object(healthy.service), state: 'Stopped' } };
    for (const name of ['HNSCall', 'HcnEnumerateNetworks'] as const) {
      const effect = { hresult: hresultOf('ERROR_SERVICE_NOT_ACTIVE') };
      node.hns.inject({ ordinal: 'every', function: name, effect });
    }
    expect(await runCli(['doctor'], doctorEnvironment(node, stopped))).toEqual(
      failed(
        3,
        report({
          'HNS service': ['FAIL hns is stopped', 'fix: Start-Service hns'],
          HCN: [
            "FAIL HNS is not running. Run Start-Service hns. Querying the Host Network Service's version failed with ERROR_SERVICE_NOT_ACTIVE (0x80070426): The service has not been started.",
            'see: win-hcn explain 0x80070426',
          ],
          network: [
            'UNKNOWN HCN could not be queried',
            'also not checked: subnets, management address, host endpoint, IP forwarding, remote subnets, remote endpoints, other routes, NAT networks, leftover endpoints, endpoint health, addresses, running pods, pods, pod gateways, paths, DNS service, load balancers',
          ],
          'management address': [],
          'other routes': [],
          paths: [],
          'leftover endpoints': [],
          'endpoint health': [],
          addresses: [],
          'host endpoint': [],
          'IP forwarding': [],
          pods: [],
        }),
      ),
    );
  });

  test('exits with 3 if the Host Network Service hangs', async () => {
    await start();
    node.hns.inject({ function: 'HcnEnumerateEndpoints', effect: { hang: true } });
    const { exitCode, stdout, stderr } = await runCli(['doctor'], doctorEnvironment(node));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: 'waiting for HcnEnumerateEndpoints, up to 10 s...\n',
    });
    expect(stdout).toContain(
      'FAIL     HCN                 HcnEnumerateEndpoints did not respond within 10 s: the Host Network Service hangs or is overloaded.',
    );
    expect(stdout).toContain(healthyLines.at(-1));
  });

  test('reports an object that cannot be read, and checks the others', async () => {
    await start();
    node.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer: '{}' } });
    const { exitCode, stdout } = await runCli(['doctor'], doctorEnvironment(node));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^FAIL {5}HCN {17}querying network .*: HCN returned nothing for ID, expected an id\. /m,
    );
    expect(stdout).toContain(`1 failed, 0 warnings, 1 unknown, ${healthyLines.length - 7} passed\n`);
    expect(stdout).toContain('UNKNOWN  network             HCN did not return every network\n');
  });

  test('changes nothing', async () => {
    await startSickNode();
    const before = { ipHelper: node.hns.ipHelperCalls.length, hcn: node.hns.calls.length };
    const { written } = await runCli(['doctor'], doctorEnvironment(node, sick, sickFiles));
    const { ipHelperCalls, calls } = node.hns;
    const called = [
      ...ipHelperCalls.slice(before.ipHelper),
      ...calls.slice(before.hcn).map((call) => call.function),
    ];
    const reads = /^(Hcn(Enumerate|Open|Query)|HNSCall|GetAdaptersAddresses|GetIpForwardTable2)/;
    expect(called.filter((name) => !reads.test(name))).toEqual([]);
    expect(written).toBeUndefined();
  });

  test('-o json prints the findings and the number of each verdict', async () => {
    await start();
    const { stdout, exitCode } = await runCli(
      ['doctor', '-o', 'json'],
      doctorEnvironment(node, { ...healthy, ports: 'Access is denied.' }),
    );
    expect(exitCode).toBe(0);
    const { findings, counts } = JSON.parse(stdout);
    expect(findings).toContainEqual({ check: 'ports', verdict: 'UNKNOWN', seen: 'Access is denied.' });
    expect(counts).toEqual({ failed: 0, warnings: 0, unknown: 1, passed: healthyLines.length - 2 });
  });

  test('on a terminal uses colors and wraps findings but not commands', async () => {
    await startSickNode();
    const { stdout, stderr } = await runCli(['doctor'], {
      ...doctorEnvironment(node, sick, sickFiles),
      width: 80,
    });
    expect(stderr).toBe('Checking this node. This takes seconds, or up to a minute if something hangs.\n');
    const rows = stdout.split('\n');
    const warning = rows.findIndex((row) => row.includes('WARN'));
    expect([...rows.slice(0, 5), ...rows.slice(warning, warning + 5)]).toEqual([
      '\u001b[31m9 failed\u001b[39m, \u001b[33m7 warnings\u001b[39m, 1 unknown, 10 passed',
      '',
      '\u001b[31mFAIL   \u001b[39m  elevation           WIN-3\\operator is not elevated, and HCN requires',
      '                             administrator rights',
      '                             fix: \u001b[1mStart-Process powershell -Verb RunAs\u001b[22m',
      '\u001b[33mWARN   \u001b[39m  Windows             Microsoft Windows Server 2022 Datacenter, build',
      '                             20348.2582: KB5040437 and later updates may break',
      '                             pod networks; install KB5044281 (20348.2762) or',
      '                             later',
      '                             see: \u001b[1mGet-HotFix | Sort-Object InstalledOn\u001b[22m',
    ]);
  });
});
