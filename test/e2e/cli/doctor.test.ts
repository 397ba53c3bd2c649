import { afterEach, describe, expect, test } from 'vitest';
import type { HnsOptions } from '../../simulator/hns.ts';
import { type Node, startNode } from '../node.ts';
import {
  around,
  config,
  conflist,
  files,
  healthy,
  sick,
  sickFiles,
  withoutPowerShell,
} from './doctor-node.ts';
import { type Printed, runCli, success } from './run-cli.ts';

let node: Node;
afterEach(() => node.stop());

/** A node with a pod, and with what the pod's ADD made. */
async function start(options: HnsOptions = {}): Promise<Node> {
  node = await startNode(options);
  const { stdout, exitCode } = await node.cni('ADD', { config, pod: node.newPod() });
  if (exitCode !== 0) throw new Error(`the node is not as it should be: ${stdout}`);
  return node;
}

/** A leftover, an endpoint that HNS could not program, and kube-proxy's remote endpoint with the same address. */
async function fallIll(): Promise<void> {
  const { hns, hcn } = await start({ switches: { duplicateRemoteAddress: 'accepted' } });
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
  await node.cni('ADD', { config, pod: gone });
  await hcn.deleteNamespace(gone.netns);
  const unhealthy = { id: pod, state: 5, lastErrorCode: 0x803b0017 };
  hns.inject({ function: 'HcnOpenEndpoint', effect: { unhealthy } });
}

const ofWindows = [
  "PASS     elevation           NT AUTHORITY\\SYSTEM, with an administrator's rights",
  'PASS     Windows             Microsoft Windows Server 2022 Datacenter, build 20348.2965',
  'PASS     HNS service         running, process 1716, for 3 d, 71 threads, start type Manual',
  'PASS     HNS crashes         none in the last day',
];
const ofHcn = 'PASS     HCN                 HNS 15.5 (Windows Server 2025)';
const ofContainerd = [
  'PASS     containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d, by C:\\Program Files\\containerd\\config.toml (version 2)',
  'PASS     winning conf        C:\\etc\\cni\\net.d\\10-win-hcn.conflist, network "l2bridge" of win-hcn',
  'PASS     valid conf          no problems',
  'PASS     plugins             C:\\opt\\cni\\bin\\win-hcn.exe',
];
const ofFiles =
  'PASS     access              only administrators and SYSTEM can change win-hcn, its configuration and its log (5 places)';
const ofNetwork = [
  'PASS     network             "l2bridge", L2Bridge, is as configured',
  'PASS     management address  network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4, and the default route via 10.0.0.1',
  'PASS     default route       via 10.0.0.1 on "vEthernet (Ethernet)"',
  'PASS     host endpoint       the node has 10.244.1.2 on "l2bridge"',
  'PASS     MTU                 1400 for pods, of 1500 of adapter "Ethernet"',
];
const ofPorts = [
  'PASS     ports               254 of 256 blocks of 64 are free in TCP ports 49152 to 65535',
  'PASS     ports               256 of 256 blocks of 64 are free in UDP ports 49152 to 65535',
];
const ofEndpoints = [
  'PASS     stale endpoints     none',
  'PASS     endpoint health     none is degraded, of 2',
  'PASS     addresses           no two endpoints have the same address',
];
const ofLog =
  'PASS     log                 no request failed in the last day, of 2 in C:\\ProgramData\\win-hcn\\logs\\win-hcn.log';

/** What is printed where something failed. */
function failed(exitCode: number, ...lines: readonly string[]): Printed {
  return { ...success(...lines), exitCode };
}

describe('doctor', () => {
  test('passes a node that is in order', async () => {
    await start();
    expect(await runCli(['doctor'], around(node))).toEqual(
      success(
        ...ofWindows,
        ofHcn,
        ...ofContainerd,
        ofFiles,
        ...ofNetwork,
        ...ofPorts,
        ...ofEndpoints,
        ofLog,
        '',
        '21 passed, 0 warnings, 0 failed, 0 unknown',
      ),
    );
  });

  test('ends with 1 where a check fails, and has the command that mends it', async () => {
    await fallIll();
    expect(await runCli(['doctor'], around(node, sick, sickFiles))).toEqual(
      failed(
        1,
        "FAIL     elevation           WIN-3\\operator has no administrator's rights here, and HCN answers nobody else",
        '                             fix: Start-Process powershell -Verb RunAs',
        'WARN     Windows             Microsoft Windows Server 2022 Datacenter, build 20348.2582, which may break the networks of pods since KB5040437; KB5044281 (20348.2762) mends them',
        '                             see: Get-HotFix | Sort-Object InstalledOn',
        'WARN     HNS service         running, process 1716, for 15 min, 213 threads, start type Manual: more than 200 threads wait for one another as a rule; drain the node first',
        '                             fix: Restart-Service hns -Force',
        'WARN     HNS crashes         2 in the last day, the last at 2030-01-01T03:00:00Z: pods from before may have lost their endpoints',
        "                             see: Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 7031, 7034 } -MaxEvents 20 | Format-List TimeCreated, Message",
        ofHcn,
        'FAIL     containerd          its service does not run',
        '                             fix: Start-Service containerd',
        'PASS     containerd          plugins in C:\\k\\bin, configurations in C:\\k\\conf, by C:\\k\\config.toml (version 3)',
        'FAIL     winning conf        C:\\k\\conf\\0-containerd-nat.conf, network "nat" of nat, comes before 10-win-hcn.conflist: pods get that network',
        '                             fix: Rename-Item C:\\k\\conf\\0-containerd-nat.conf 0-containerd-nat.conf.off',
        'FAIL     plugins             no nat.exe in C:\\k\\bin',
        '                             see: Get-ChildItem C:\\k\\bin',
        'FAIL     access              C:\\k can be replaced, with all that is in it, by Authenticated Users; take that right from them unless something else there needs it',
        '                             see: icacls C:\\k',
        'FAIL     access              C:\\k\\bin can be changed by Users',
        "                             fix: icacls C:\\k\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-5-32-545'",
        'WARN     access              C:\\ProgramData\\win-hcn can be changed by Users',
        "                             fix: icacls C:\\ProgramData\\win-hcn /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-5-32-545'",
        ...ofNetwork.slice(1, 3),
        'WARN     ports               8 of 256 blocks of 64 are free in TCP ports 49152 to 65535; HNS takes a block for outbound NAT and load balancers',
        '                             see: netsh interface ipv4 show excludedportrange protocol=tcp',
        'FAIL     ports               0 of 256 blocks of 64 are free in UDP ports 49152 to 65535; HNS takes a block for outbound NAT and load balancers',
        '                             see: netsh interface ipv4 show excludedportrange protocol=udp',
        'WARN     stale endpoints     2 leftovers: b2e6032f, no load balancer refers to it; f472cb12 (container gone), in no namespace',
        '                             fix: win-hcn gc --yes',
        '                             see: win-hcn gc',
        'FAIL     endpoint health     7a4ff8e8 (container pod1) is Degraded, health HCN_E_DEGRADED_OPERATION',
        '                             see: win-hcn show endpoint 7a4ff8e8-36a2-58f8-8dd7-59b3c47de727',
        'WARN     addresses           10.244.1.3 is of 7a4ff8e8 here and of remote endpoint b2e6032f: kube-proxy takes it for a pod on another node',
        '                             see: win-hcn show ip 10.244.1.3',
        'WARN     log                 1 of 2 requests of the last day failed, the last at 2030-01-01T03:00:00.200Z: ADD HcnCreateEndpoint did not answer',
        '                             see: Get-Content C:\\ProgramData\\win-hcn\\logs\\win-hcn.log -Tail 40',
        '',
        '4 passed, 8 warnings, 8 failed, 0 unknown',
      ),
    );
  });

  test('compares the network with the configuration of --conf', async () => {
    await start();
    const other = conflist.replace('10.244.1.0', '10.245.1.0');
    const surroundings = around(node, healthy, { ...files, 'my.conflist': other });
    expect(await runCli(['doctor', '--conf', 'my.conflist'], surroundings)).toEqual(
      failed(
        1,
        ...ofWindows,
        ofHcn,
        ofContainerd[0] ?? '',
        'PASS     winning conf        my.conflist, network "l2bridge" of win-hcn, given with --conf',
        ...ofContainerd.slice(2),
        ofFiles,
        'FAIL     network             network "l2bridge" exists but differs from the configuration: subnets are 10.244.1.0/24, expected 10.245.1.0/24',
        '                                      configuration  HNS',
        '                             subnets  10.245.1.0/24  10.244.1.0/24',
        '                             change the configuration, or delete the network once no pod uses it: win-hcn network delete l2bridge --yes',
        '                             see: win-hcn show network l2bridge',
        ...ofNetwork.slice(1, 3),
        ...ofPorts,
        ...ofEndpoints,
        ofLog,
        '',
        '18 passed, 0 warnings, 1 failed, 0 unknown',
      ),
    );
  });

  test('says what nobody knows without PowerShell, and all the rest', async () => {
    await start();
    const missing = 'cannot run PowerShell: ENOENT';
    expect(await runCli(['doctor'], withoutPowerShell(node))).toEqual(
      success(
        `UNKNOWN  elevation           ${missing}`,
        '                             see: whoami /groups',
        `UNKNOWN  Windows             ${missing}`,
        '                             see: cmd /c ver',
        `UNKNOWN  HNS service         ${missing}`,
        '                             see: Get-Service hns',
        `UNKNOWN  HNS crashes         ${missing}`,
        "                             see: Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 7031, 7034 } -MaxEvents 20 | Format-List TimeCreated, Message",
        ofHcn,
        `UNKNOWN  containerd          whether it has another configuration is not known (${missing}); plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d, by C:\\Program Files\\containerd\\config.toml (version 2)`,
        '                             see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
        ...ofContainerd.slice(1),
        `UNKNOWN  access              ${missing}`,
        '                             see: icacls C:\\opt\\cni\\bin',
        ...ofNetwork,
        `UNKNOWN  ports               ${missing}`,
        '                             see: netsh interface ipv4 show excludedportrange protocol=tcp',
        ...ofEndpoints,
        ofLog,
        '',
        '13 passed, 0 warnings, 0 failed, 7 unknown',
      ),
    );
  });

  test('ends with 3 where the Host Network Service is stopped, after all that can be known', async () => {
    await start();
    const stopped = { ...healthy, service: { ...Object(healthy.service), state: 'Stopped' } };
    node.hns.inject({ ordinal: 'every', function: 'HNSCall', effect: { hresult: 0x80070426 } });
    node.hns.inject({ ordinal: 'every', function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070426 } });
    expect(await runCli(['doctor'], around(node, stopped))).toEqual(
      failed(
        3,
        ...ofWindows.slice(0, 2),
        'FAIL     HNS service         hns is stopped',
        '                             fix: Start-Service hns',
        ...ofWindows.slice(3),
        "FAIL     HCN                 asking for the Host Network Service's version: HCN said ERROR_SERVICE_NOT_ACTIVE (0x80070426): The service has not been started. Look at the service with Get-Service hns, and start it with Start-Service hns.",
        '                             see: win-hcn explain 0x80070426',
        ...ofContainerd,
        ofFiles,
        'UNKNOWN  network             HCN did not say',
        'UNKNOWN  management address  HCN did not say',
        ofNetwork[2] ?? '',
        ...ofPorts,
        'UNKNOWN  stale endpoints     HCN did not say',
        'UNKNOWN  endpoint health     HCN did not say',
        'UNKNOWN  addresses           HCN did not say',
        ofLog,
        '',
        '12 passed, 0 warnings, 2 failed, 5 unknown',
      ),
    );
  });

  test('ends with 3 where the Host Network Service hangs', async () => {
    await start();
    node.hns.inject({ function: 'HcnEnumerateEndpoints', effect: { hang: true } });
    const { exitCode, stdout } = await runCli(['doctor'], around(node));
    expect(exitCode).toBe(3);
    expect(stdout).toContain(
      'FAIL     HCN                 HcnEnumerateEndpoints did not answer within 10 s: the Host Network Service hangs or is overloaded.',
    );
    expect(stdout).toContain(ofLog);
  });

  test('says which object cannot be read, and judges by the others', async () => {
    await start();
    const { networks } = node.hns.dump();
    node.hns.inject({ function: 'HcnQueryNetworkProperties', effect: { answer: '{}' } });
    const { exitCode, stdout } = await runCli(['doctor'], around(node));
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').filter((line) => !line.startsWith('PASS'))).toEqual([
      `FAIL     HCN              querying network ${networks[0]?.['ID']}: HCN returned nothing for ID, expected an id. The Host Network Service is broken or half stopped: look at it with Get-Service hns, restart it with Restart-Service hns.`,
      '                          see: Get-Service hns',
      'UNKNOWN  network          HCN did not show every network',
      '',
      '17 passed, 0 warnings, 1 failed, 1 unknown',
      '',
    ]);
  });

  test('does not miss a host endpoint where an endpoint cannot be read', async () => {
    await start();
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer: '{}' } });
    const { stdout } = await runCli(['doctor'], around(node));
    expect(stdout).toContain('UNKNOWN  host endpoint       HCN did not show every endpoint\n');
  });

  test('changes nothing', async () => {
    await fallIll();
    const before = { ipHelper: node.hns.ipHelperCalls.length, hcn: node.hns.calls.length };
    const { written } = await runCli(['doctor'], around(node, sick, sickFiles));
    const { ipHelperCalls, calls } = node.hns;
    const called = [
      ...ipHelperCalls.slice(before.ipHelper),
      ...calls.slice(before.hcn).map((call) => call.function),
    ];
    const looking = /^(Hcn(Enumerate|Open|Query)|HNSCall|GetAdaptersAddresses)/;
    expect(called.filter((name) => !looking.test(name))).toEqual([]);
    expect(written).toBeUndefined();
  });

  test('-o json has each finding, and how many there are of each verdict', async () => {
    await start();
    const { stdout, exitCode } = await runCli(
      ['doctor', '-o', 'json'],
      around(node, { ...healthy, ports: 'Access is denied.' }),
    );
    expect(exitCode).toBe(0);
    const { findings, counts } = JSON.parse(stdout);
    expect(findings.slice(0, 2)).toEqual([
      { check: 'elevation', verdict: 'PASS', seen: "NT AUTHORITY\\SYSTEM, with an administrator's rights" },
      {
        check: 'Windows',
        verdict: 'PASS',
        seen: 'Microsoft Windows Server 2022 Datacenter, build 20348.2965',
      },
    ]);
    expect(findings).toContainEqual({
      check: 'ports',
      verdict: 'UNKNOWN',
      seen: 'Access is denied.',
      see: 'netsh interface ipv4 show excludedportrange protocol=tcp',
    });
    expect(counts).toEqual({ PASS: 19, WARN: 0, FAIL: 0, UNKNOWN: 1 });
  });

  test('-o yaml has the same', async () => {
    await start();
    const { stdout } = await runCli(['doctor', '-o', 'yaml'], around(node));
    expect(stdout).toMatch(/^findings:\n {2}- check: elevation\n {4}verdict: PASS\n/);
    expect(stdout).toMatch(/\ncounts:\n {2}PASS: 21\n {2}WARN: 0\n {2}FAIL: 0\n {2}UNKNOWN: 0\n$/);
  });

  test('on a terminal has colours, is wrapped beside the names, and leaves commands whole', async () => {
    await fallIll();
    const { stdout, stderr } = await runCli(['doctor'], { ...around(node, sick, sickFiles), width: 80 });
    expect(stderr).toBe('Looking at this node: seconds, or a minute where something hangs.\n');
    expect(stdout.split('\n').slice(0, 8)).toEqual([
      "\u001b[31mFAIL   \u001b[39m  elevation           WIN-3\\operator has no administrator's rights here,",
      '                             and HCN answers nobody else',
      '                             fix: \u001b[1mStart-Process powershell -Verb RunAs\u001b[22m',
      '\u001b[33mWARN   \u001b[39m  Windows             Microsoft Windows Server 2022 Datacenter, build',
      '                             20348.2582, which may break the networks of pods',
      '                             since KB5040437; KB5044281 (20348.2762) mends them',
      '                             see: \u001b[1mGet-HotFix | Sort-Object InstalledOn\u001b[22m',
      '\u001b[33mWARN   \u001b[39m  HNS service         running, process 1716, for 15 min, 213 threads,',
    ]);
  });

  test('on a narrow terminal is wrapped all the same', async () => {
    await start();
    const narrow = { ...around(node), width: 60, environment: { NO_COLOR: '1' } };
    const { stdout } = await runCli(['doctor'], narrow);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'PASS     elevation           NT AUTHORITY\\SYSTEM, with an',
      "                             administrator's rights",
      'PASS     Windows             Microsoft Windows Server 2022',
      '                             Datacenter, build 20348.2965',
    ]);
  });

  test('ends with 2 where the file of --conf cannot be read', async () => {
    await start();
    expect(await runCli(['doctor', '--conf', 'nothing.conflist'], around(node))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        "win-hcn: cannot read nothing.conflist: ENOENT: no such file or directory, open 'nothing.conflist'\n",
    });
  });
});
