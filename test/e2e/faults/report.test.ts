import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { chooseFaults, type FaultName, startFaultyNode } from './faults.ts';
import { type FaultyNode, storeFolder } from './faulty-node.ts';

let node: FaultyNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

/** What doctor prints about a node with some faults. */
async function reportOf(
  names: readonly FaultName[],
  change: (node: FaultyNode) => void | Promise<void> = () => undefined,
  width?: number,
): Promise<string> {
  node = await startFaultyNode(names);
  await change(node);
  const { stdout } = await node.run(['doctor'], width === undefined ? {} : { width });
  return stripVTControlCharacters(stdout);
}

test('doctor on a node without faults', async () => {
  expect(await reportOf([])).toMatchInlineSnapshot(`
    "0 failed, 0 warnings, 0 unknown, 24 passed

    PASS     elevation           NT AUTHORITY\\SYSTEM is elevated
    PASS     Windows             Microsoft Windows Server 2025 Datacenter, build 26100.32690
    PASS     HNS service         running for 3 d, process 1716, 71 threads, start type Manual
    PASS     HNS crashes         none in the last 24 hours
    PASS     HCN                 HNS 15.5 (Windows Server 2025)
    PASS     containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\Program Files\\containerd\\config.toml, version 2)
    PASS     active conf         C:\\etc\\cni\\net.d\\10-win-hcn.conflist: network "l2bridge", plugin win-hcn
    PASS     configuration       no problems
    PASS     plugins             C:\\opt\\cni\\bin\\win-hcn.exe, C:\\opt\\cni\\bin\\host-local.exe
    PASS     access              only administrators and SYSTEM can modify win-hcn, its configuration and its log (5 paths checked)
    PASS     network             "l2bridge" (L2Bridge) matches the configuration
    PASS     management address  network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4 and the default route via 10.0.0.1
    PASS     default route       via 10.0.0.1 on "vEthernet (Ethernet)"
    PASS     host endpoint       the node has 10.244.1.2 on "l2bridge"
    PASS     IP forwarding       on for "vEthernet (l2bridge_ep)" and "vEthernet (Ethernet)"
    PASS     ports               TCP 49152 to 65535: 254 of 256 blocks of 64 ports are free
    PASS     ports               UDP 49152 to 65535: 256 of 256 blocks of 64 ports are free
    PASS     leftover endpoints  none
    PASS     endpoint health     0 of 3 degraded
    PASS     addresses           no duplicates
    PASS     IPAM addresses      2 of 20 addresses reserved in C:\\var\\lib\\cni\\networks\\l2bridge
    PASS     pods                gateway and DNS of 2 endpoints are valid
    PASS     NAT exceptions      2 endpoints as configured
    PASS     log                 0 of 0 requests failed in the last 24 hours (C:\\ProgramData\\win-hcn\\logs\\win-hcn.log)
    "
  `);
});

test("doctor on a node without host-local's reservations", async () => {
  const report = await reportOf([], ({ files }) => {
    for (const path of Object.keys(files).filter((one) => one.startsWith(storeFolder))) delete files[path];
  });
  expect(report.split('\nPASS')[0]).toMatchInlineSnapshot(`
    "0 failed, 1 warning, 0 unknown, 23 passed

    WARN     IPAM addresses      10.244.1.10 of 944e0fbf (pod shop/web), 10.244.1.11 of 1c85c26e (pod shop/api) are not reserved in C:\\var\\lib\\cni\\networks\\l2bridge: host-local may assign them again; recreate the pods
                                 see: Get-ChildItem C:\\var\\lib\\cni\\networks\\l2bridge"
  `);
});

test('a network for storage needs no default route', async () => {
  const report = await reportOf([], (node) =>
    node.createNetwork('6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a41', {
      Name: 'storage',
      Type: 'L2Bridge',
      Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '192.168.7.0/24' }] }],
      Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet 2' } }],
    }),
  );
  const shown = report.split('\n').filter((line) => !line.startsWith('PASS') || line.includes('storage'));
  expect(shown.join('\n')).toMatchInlineSnapshot(`
    "0 failed, 0 warnings, 0 unknown, 26 passed

    PASS     management address  network "storage" on adapter "Ethernet 2": "vEthernet (Ethernet 2)" has 192.168.7.4
    "
  `);
});

test('another plugin precedes an invalid file: doctor names both faults and what it could not check', async () => {
  expect(await reportOf(chooseFaults(303))).toMatchInlineSnapshot(`
    "3 failed, 3 warnings, 1 unknown, 13 passed

    FAIL     active conf         C:\\etc\\cni\\net.d\\05-nat.conflist: network "nat", plugin nat; it takes precedence over 10-win-hcn.conflist
                                 fix: Rename-Item C:\\etc\\cni\\net.d\\05-nat.conflist 05-nat.conflist.off
    FAIL     configuration       10-win-hcn.conflist: line 8, column 7: missing comma
                                 see: win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist
    FAIL     access              C:\\opt\\cni\\bin can be modified by Users
                                 fix: icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-5-32-545'
    WARN     leftover endpoints  1 leftover: 7274c9e9 (container 1d7479ffb5cd3), in no namespace
                                 fix: win-hcn gc --yes
                                 see: win-hcn gc
    WARN     pods                pod shop/cart runs without an endpoint and has no network: recreate the pod
                                 see: win-hcn show pod shop/cart
    WARN     pods                bca3365e (pod shop/search): its ACLs block DNS queries to 10.96.0.10 (UDP port 53)
                                 see: win-hcn explain-acl shop/search out 10.96.0.10:53/udp
    UNKNOWN  configuration       no valid configuration for win-hcn
                                 not checked: network, host endpoint, IP forwarding, MTU, IPAM addresses, NAT exceptions
    PASS     elevation           NT AUTHORITY\\SYSTEM is elevated
    PASS     Windows             Microsoft Windows Server 2025 Datacenter, build 26100.32690
    PASS     HNS service         running for 3 d, process 1716, 71 threads, start type Manual
    PASS     HNS crashes         none in the last 24 hours
    PASS     HCN                 HNS 15.5 (Windows Server 2025)
    PASS     containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\Program Files\\containerd\\config.toml, version 2)
    PASS     management address  network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4 and the default route via 10.0.0.1
    PASS     default route       via 10.0.0.1 on "vEthernet (Ethernet)"
    PASS     ports               TCP 49152 to 65535: 254 of 256 blocks of 64 ports are free
    PASS     ports               UDP 49152 to 65535: 256 of 256 blocks of 64 ports are free
    PASS     endpoint health     0 of 5 degraded
    PASS     addresses           no duplicates
    PASS     log                 0 of 0 requests failed in the last 24 hours (C:\\ProgramData\\win-hcn\\logs\\win-hcn.log)
    "
  `);
});

test('80 columns: a command begins further left rather than not to fit', async () => {
  const report = await reportOf(chooseFaults(303), undefined, 80);
  expect(report.split('\nPASS')[0]).toMatchInlineSnapshot(`
    "3 failed, 3 warnings, 1 unknown, 13 passed

    FAIL     active conf         C:\\etc\\cni\\net.d\\05-nat.conflist: network "nat",
                                 plugin nat; it takes precedence over
                                 10-win-hcn.conflist
             fix: Rename-Item C:\\etc\\cni\\net.d\\05-nat.conflist 05-nat.conflist.off
    FAIL     configuration       10-win-hcn.conflist: line 8, column 7: missing
                                 comma
             see: win-hcn config check C:\\etc\\cni\\net.d\\10-win-hcn.conflist
    FAIL     access              C:\\opt\\cni\\bin can be modified by Users
             fix: icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-5-32-545'
    WARN     leftover endpoints  1 leftover: 7274c9e9 (container 1d7479ffb5cd3), in
                                 no namespace
                                 fix: win-hcn gc --yes
                                 see: win-hcn gc
    WARN     pods                pod shop/cart runs without an endpoint and has no
                                 network: recreate the pod
                                 see: win-hcn show pod shop/cart
    WARN     pods                bca3365e (pod shop/search): its ACLs block DNS
                                 queries to 10.96.0.10 (UDP port 53)
             see: win-hcn explain-acl shop/search out 10.96.0.10:53/udp
    UNKNOWN  configuration       no valid configuration for win-hcn
                                 not checked: network, host endpoint, IP forwarding,
                                 MTU, IPAM addresses, NAT exceptions"
  `);
});

test("another plugin precedes win-hcn's file, which doctor checks", async () => {
  expect(await reportOf(chooseFaults(404))).toMatchInlineSnapshot(`
    "4 failed, 2 warnings, 0 unknown, 19 passed

    FAIL     active conf         C:\\etc\\cni\\net.d\\05-nat.conflist: network "nat", plugin nat; it takes precedence over 10-win-hcn.conflist, which the other checks use
                                 fix: Rename-Item C:\\etc\\cni\\net.d\\05-nat.conflist 05-nat.conflist.off
    FAIL     access              C:\\opt\\cni\\bin can be modified by Users
                                 fix: icacls C:\\opt\\cni\\bin /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' /grant '*S-1-5-18:(OI)(CI)F' /remove:g '*S-1-5-32-545'
    FAIL     network             "l2bridge" differs from the configuration: subnets are 10.244.1.0/24, expected 10.244.3.0/24
                                          configuration  HNS
                                 subnets  10.244.3.0/24  10.244.1.0/24
                                 2 pods use 10.244.1.0/24: line 9, column 7 of 10-win-hcn.conflist is probably wrong
                                 see: win-hcn show network l2bridge
    FAIL     IP forwarding       IPv4 forwarding is off on "vEthernet (l2bridge_ep)" and "vEthernet (Ethernet)": pods cannot reach other hosts
                                 fix: Set-NetIPInterface -InterfaceIndex 8 -AddressFamily IPv4 -Forwarding Enabled; Set-NetIPInterface -InterfaceIndex 7 -AddressFamily IPv4 -Forwarding Enabled
    WARN     subnets             subnet 10.244.1.128/25 of network "storage" overlaps with 10.244.1.0/24 of network "l2bridge" on adapter "Ethernet": pods of both networks can get the same address
                                 see: win-hcn ls networks
    WARN     leftover endpoints  1 leftover: 7274c9e9 (container 1d7479ffb5cd3), in no namespace
                                 fix: win-hcn gc --yes
                                 see: win-hcn gc
    PASS     elevation           NT AUTHORITY\\SYSTEM is elevated
    PASS     Windows             Microsoft Windows Server 2025 Datacenter, build 26100.32690
    PASS     HNS service         running for 3 d, process 1716, 71 threads, start type Manual
    PASS     HNS crashes         none in the last 24 hours
    PASS     HCN                 HNS 15.5 (Windows Server 2025)
    PASS     containerd          plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\Program Files\\containerd\\config.toml, version 2)
    PASS     configuration       10-win-hcn.conflist: no problems
    PASS     plugins             C:\\opt\\cni\\bin\\win-hcn.exe, C:\\opt\\cni\\bin\\host-local.exe
    PASS     management address  network "l2bridge" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4 and the default route via 10.0.0.1
    PASS     management address  network "storage" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.0.0.4 and the default route via 10.0.0.1
    PASS     default route       via 10.0.0.1 on "vEthernet (Ethernet)"
    PASS     ports               TCP 49152 to 65535: 254 of 256 blocks of 64 ports are free
    PASS     ports               UDP 49152 to 65535: 256 of 256 blocks of 64 ports are free
    PASS     endpoint health     0 of 4 degraded
    PASS     addresses           no duplicates
    PASS     IPAM addresses      0 of 245 addresses reserved in C:\\var\\lib\\cni\\networks\\l2bridge
    PASS     pods                gateway and DNS of 2 endpoints are valid
    PASS     NAT exceptions      2 endpoints as configured
    PASS     log                 0 of 0 requests failed in the last 24 hours (C:\\ProgramData\\win-hcn\\logs\\win-hcn.log)
    "
  `);
});
