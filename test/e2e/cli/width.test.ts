import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { component, report } from '../../unit/cli/capture/log-lines.ts';
import { scriptedPktmon } from '../../unit/cli/capture/scripted-pktmon.ts';
import { doctorEnvironment } from './doctor-node.ts';
import { container, loadBalancer } from './inventory-node.ts';
import { type PopulatedNode, second, startPopulatedNode } from './populated-node.ts';
import { type Printed, runCli } from './run-cli.ts';

let node: PopulatedNode;
beforeAll(async () => {
  node = await startPopulatedNode();
});
afterAll(() => node.stop());

const conf = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};
/** A packet that the port of the pod drops. */
const capturedLog = [
  report({ packet: 1, component: 135, from: '10.244.1.2.50000', to: '10.244.2.7.80', drop: '12' }),
  component({
    id: 135,
    type: 'VmsMiniport',
    driver: 'vmswitch.sys',
    name: 'port',
    properties: { PhysAddress: '0x00155D52C000' },
  }),
].join('');
const leases = 'C:\\var\\lib\\cni\\networks\\l2bridge';
const files = {
  'net.conf': JSON.stringify({ ...conf, acls: [{ action: 'Allow', direction: 'In', priority: 200 }] }),
  'valid.conf': JSON.stringify(conf),
  'wrong.conf': JSON.stringify({
    ...conf,
    networkType: 'L2bridged',
    subnet: '10.244.1.0/24',
    gateway: '10.244.1.1',
  }),
  [`${leases}\\10.244.1.77`]: `a${container.slice(1)}\r\neth0`,
  [`${leases}\\fd00_10_244__9`]: 'longgone\r\neth0',
};

/** Runs a command on the node; NS is the namespace of its pod. Without a width, stdout and stderr are pipes. */
function run(command: string, width?: number): Promise<Printed> {
  const environment = doctorEnvironment(node);
  return runCli(command.replaceAll('NS', node.pod.netns).split(' '), {
    ...environment,
    files: { ...environment.files, ...files, 'C:\\Windows\\Temp\\win-hcn-capture-4711.txt': capturedLog },
    pktmon: scriptedPktmon().run,
    environment: { NO_COLOR: '1' },
    ...(width !== undefined && { width, stderrWidth: width }),
  });
}

/** Every command that prints tables or sentences about the node. */
const commands = [
  'network describe',
  'ls',
  'ls networks',
  'ls endpoints --remote',
  'ls namespaces',
  'ls loadbalancers',
  'show pod 0e12d1',
  `show pod ${second}`,
  'show ip 10.244.1.2',
  'show ip 10.96.0.11',
  'show ip 10.245.16.1',
  'show port 80',
  'show endpoint 89349029',
  'show network l2bridge',
  'show network storage-dual-stack',
  'show namespace NS',
  `show loadbalancer ${loadBalancer}`,
  'gc',
  'gc --other-plugins',
  'doctor',
  'doctor --conf valid.conf',
  'explain 0x803b002f',
  'trace 0e12d1 10.96.0.11:80',
  'trace 0e12d1 10.0.4.9:1433',
  'trace 0e12d1 10.244.2.7:80',
  'trace 41c0 node',
  'capture 0e12d1 10.244.2.7:80',
  'show 0e12d1 --diff 41c0',
  'show 0e12d1 --diff gone',
  'config check valid.conf',
  'config check wrong.conf',
  'config plan valid.conf',
  'debug cni status --conf valid.conf',
  'debug cni gc --conf valid.conf --keep-none',
  'probe --yes --row callerIds --row attachTwice --row returnedQOS',
  'probe --row callerIds',
  'network delete storage-dual-stack',
  'network ensure valid.conf',
  'debug namespace delete NS',
  'debug endpoint delete 5efcf8b5',
  'debug endpoint detach 5efcf8b5',
  `debug loadbalancer delete ${loadBalancer}`,
];
const widths = [60, 80, 120, 200];
const rows = commands.flatMap((command) => widths.map((width) => ({ command, width })));

/** The lines of both streams. JSON and commands to copy are left out: they do not depend on the width. So is what counts seconds. */
function linesOf({ stdout, stderr }: Printed): readonly string[] {
  const isJson = (line: string) => /^(?:[{}[\]]| +["{}[\]])/.test(line);
  const isCommand = (line: string) => /^ *(?:fix|see): |^ {2}Remove-Item /.test(line);
  const isProgress = (line: string) => /: \d+ s$/.test(line);
  return `${stdout}${stderr}`
    .replaceAll(/.*\r/g, '')
    .split('\n')
    .filter((line) => !isJson(line) && !isCommand(line) && !isProgress(line));
}

/** The lines without those that name hidden and shortened columns. */
function contentOf(lines: readonly string[]): readonly string[] {
  const isNote = (line: string) => /^(?:hidden|shortened) columns: /.test(line);
  const isEnd = (line = '') => line.includes('(show all: ') && line.endsWith(')');
  let inNote = false;
  return lines.filter((line) => {
    if (isNote(line)) inNote = true;
    if (!inNote) return true;
    if (line.endsWith(')') || isEnd(line)) inNote = false;
    return false;
  });
}

const wordsOf = (lines: readonly string[]) =>
  lines.flatMap((line) => line.split(/[\s,]+/)).filter((word) => /[^|`-]/.test(word));

/** A GUID or a container ID, alone or in a text, as a narrow terminal shows it. */
const shortForms = (word: string): readonly string[] => [
  word.replaceAll(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1'),
  word.replaceAll(/([0-9a-f]{13})[0-9a-f]{51}(_?)/g, (_, start, name) => (name ? `${start}..._` : start)),
];

describe.each(rows)('$command at $width columns', ({ command, width }) => {
  test('fits, splits no word, and lines up', async () => {
    const lines = linesOf(await run(command, width));
    expect(lines.filter((line) => line.length > width)).toEqual([]);

    const whole = wordsOf(linesOf(await run(command, 1000)));
    const known = new Set(whole.flatMap((word) => [word, ...shortForms(word)]));
    const longWords = [...known].filter((word) => word.length > width / 3);
    const isCut = (word: string) =>
      word.endsWith('...') && longWords.some((long) => long.startsWith(word.slice(0, -3)));
    const isCount = (word: string) => /^\+\d+$/.test(word);
    const split = wordsOf(contentOf(lines)).filter(
      (word) => !known.has(word) && !isCut(word) && !isCount(word),
    );
    expect(split.filter((word) => !isMeasured(word))).toEqual([]);

    expect(misaligned(lines)).toEqual([]);
  });
});

/** What differs between two runs: durations, and the IDs that HNS chooses. */
function isMeasured(word: string): boolean {
  return /^\d+(?:\.\d)?$/.test(word);
}

const firstTitles =
  /^(?:network|endpoint|namespace|load balancer|direction|priority|type|stage|property|verdict|address| {6}ms) {2}/;

/** The lines of tables with text between two columns of their header. */
function misaligned(lines: readonly string[]): readonly string[] {
  let starts: readonly number[] = [];
  return lines.filter((line) => {
    if (firstTitles.test(line)) {
      starts = [...line.matchAll(/(?<= {2})\S/g)].map(({ index }) => index).filter((at) => at > 6);
      return false;
    }
    if (/^$|^(?:hidden|shortened) columns: |^win-hcn|\.$/.test(line)) starts = [];
    return starts.some((at) => line.slice(at - 2, at).trim() !== '');
  });
}

test('the check of tables finds cells that do not line up', () => {
  expect(misaligned(['network   name', '259f4964  l2bridge', '259f4964 l2bridge'])).toEqual([
    '259f4964 l2bridge',
  ]);
});

test('every command that prints a table is in the list above', async () => {
  const { stdout } = await runCli(['--help']);
  const named = stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm);
  const tested = new Set(commands.map((command) => command.split(' ')[0]));
  expect([...named].map(([, name]) => name).filter((name) => !tested.has(name))).toEqual([
    'collect',
    'install',
    'upgrade',
    'uninstall',
    'completion',
    'version',
    'help',
  ]);
});

/** The text with IDs that HNS chose replaced. */
function stable(text: string): string {
  return text
    .replaceAll(node.pod.netns.slice(0, 8), 'aaaaaaaa')
    .replaceAll(node.secondPod.netns.slice(0, 8), 'bbbbbbbb')
    .replaceAll(node.hostNamespace.slice(0, 8), 'cccccccc');
}

describe('ls', () => {
  const ls = async (width: number) => stable((await run('ls', width)).stdout);

  test('at 60 columns shows the most important columns', async () => {
    expect(await ls(60)).toMatchInlineSnapshot(`
      "network   name                subnets            adapter
      259f4964  l2bridge            10.244.1.0/24      Ethernet
      76cf7229  storage-dual-stack  10.245.16.0/20 +1  Ethernet 2
      hidden columns: type, gateways, endpoints, ready, owner;
        shortened columns: subnets (show all: -o wide)

      endpoint  pod            addresses          leftover
      5efcf8b5  0e12d1d5a8cfb  10.244.1.2/24      -
      f472cb12  gone           10.244.1.3/24      in no namespace
      a1e6032f  c0ffee         10.244.1.30/24     in no namespace
      c3e6032f  -              10.244.1.40/24     -
      89349029  41c0b2f19ff4a  10.245.16.2/20 +1  -
      351d776f  fe12d1d5a8cfb  10.245.16.3/20 +1  in no namespace
      hidden columns: interface, network, MAC, namespace, state,
        health, owner; shortened columns: addresses (show all: -o
        wide)

      namespace  type         pods           addresses
      cccccccc   HostDefault  -              -
      aaaaaaaa   Host         0e12d1d5a8cfb  10.244.1.2
      bbbbbbbb   Host         41c0b2f19ff4a  10.245.16.2 +1
      hidden columns: compartment, endpoints; shortened columns:
        addresses (show all: -o wide)

      load balancer  frontends   ports             backends
      d4e6032f       10.96.0.10  80->8080/tcp      10.244.1.2 +1
      d4e6032f       10.96.0.11  443->8443/tcp +2  10.244.1.2 +13
      hidden columns: name, network, owner; shortened columns:
        ports, backends (show all: -o wide)
      "
    `);
  });

  test('at 80 columns shows more', async () => {
    expect(await ls(80)).toMatchInlineSnapshot(`
      "network   name                type      subnets            adapter     owner
      259f4964  l2bridge            L2Bridge  10.244.1.0/24      Ethernet    win-hcn
      76cf7229  storage-dual-stack  L2Bridge  10.245.16.0/20 +1  Ethernet 2  win-hcn
      hidden columns: gateways, endpoints, ready; shortened columns: subnets (show
        all: -o wide)

      endpoint  pod            network             addresses          leftover
      5efcf8b5  0e12d1d5a8cfb  l2bridge            10.244.1.2/24      -
      f472cb12  gone           l2bridge            10.244.1.3/24      in no namespace
      a1e6032f  c0ffee         l2bridge            10.244.1.30/24     in no namespace
      c3e6032f  -              l2bridge            10.244.1.40/24     -
      89349029  41c0b2f19ff4a  storage-dual-stack  10.245.16.2/20 +1  -
      351d776f  fe12d1d5a8cfb  storage-dual-stack  10.245.16.3/20 +1  in no namespace
      hidden columns: interface, MAC, namespace, state, health, owner; shortened
        columns: addresses (show all: -o wide)

      namespace  type         compartment  pods           endpoints  addresses
      cccccccc   HostDefault  1            -              -          -
      aaaaaaaa   Host         2            0e12d1d5a8cfb  5efcf8b5   10.244.1.2
      bbbbbbbb   Host         3            41c0b2f19ff4a  89349029   10.245.16.2 +1
      shortened columns: addresses (show all: -o wide)

      load balancer  network   frontends   ports             backends        owner
      d4e6032f       l2bridge  10.96.0.10  80->8080/tcp      10.244.1.2 +1   unknown
      d4e6032f       l2bridge  10.96.0.11  443->8443/tcp +2  10.244.1.2 +13  unknown
      hidden columns: name; shortened columns: ports, backends (show all: -o wide)
      "
    `);
  });

  test('at 120 columns hides little', async () => {
    expect(await ls(120)).toMatchInlineSnapshot(`
      "network   name                type      subnets            gateways        adapter     endpoints      ready  owner
      259f4964  l2bridge            L2Bridge  10.244.1.0/24      10.244.1.1      Ethernet    4 (13 remote)  yes    win-hcn
      76cf7229  storage-dual-stack  L2Bridge  10.245.16.0/20 +1  10.245.16.1 +1  Ethernet 2  2              yes    win-hcn
      shortened columns: subnets, gateways (show all: -o wide)

      endpoint  pod            network             addresses          namespace  state     owner           leftover
      5efcf8b5  0e12d1d5a8cfb  l2bridge            10.244.1.2/24      aaaaaaaa   Attached  win-hcn         -
      f472cb12  gone           l2bridge            10.244.1.3/24      -          Detached  win-hcn         in no namespace
      a1e6032f  c0ffee         l2bridge            10.244.1.30/24     -          Created   another plugin  in no namespace
      c3e6032f  -              l2bridge            10.244.1.40/24     -          Created   unknown         -
      89349029  41c0b2f19ff4a  storage-dual-stack  10.245.16.2/20 +1  bbbbbbbb   Attached  win-hcn         -
      351d776f  fe12d1d5a8cfb  storage-dual-stack  10.245.16.3/20 +1  -          Detached  win-hcn         in no namespace
      hidden columns: interface, MAC, health; shortened columns: addresses (show all: -o wide)

      namespace  type         compartment  pods           endpoints  addresses
      cccccccc   HostDefault  1            -              -          -
      aaaaaaaa   Host         2            0e12d1d5a8cfb  5efcf8b5   10.244.1.2
      bbbbbbbb   Host         3            41c0b2f19ff4a  89349029   10.245.16.2, fd00:10:245:16::2

      load balancer  name  network   frontends   ports                            backends                         owner
      d4e6032f       -     l2bridge  10.96.0.10  80->8080/tcp                     10.244.1.2, 10.244.2.7 (remote)  unknown
      d4e6032f       -     l2bridge  10.96.0.11  443->8443/tcp, 443->8443/udp +1  10.244.1.2 +13                   unknown
      shortened columns: ports, backends (show all: -o wide)
      "
    `);
  });

  test('at 200 columns shows everything', async () => {
    expect(await ls(200)).toMatchInlineSnapshot(`
      "network   name                type      subnets                              gateways                        adapter     endpoints      ready  owner
      259f4964  l2bridge            L2Bridge  10.244.1.0/24                        10.244.1.1                      Ethernet    4 (13 remote)  yes    win-hcn
      76cf7229  storage-dual-stack  L2Bridge  10.245.16.0/20, fd00:10:245:16::/64  10.245.16.1, fd00:10:245:16::1  Ethernet 2  2              yes    win-hcn

      endpoint  pod            interface  network             addresses                             MAC                namespace  state     health  owner           leftover
      5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge            10.244.1.2/24                         00-15-5D-52-C0-00  aaaaaaaa   Attached  ok      win-hcn         -
      f472cb12  gone           eth0       l2bridge            10.244.1.3/24                         00-15-5D-52-C0-01  -          Detached  ok      win-hcn         in no namespace
      a1e6032f  c0ffee         -          l2bridge            10.244.1.30/24                        00-15-5D-52-C0-02  -          Created   ok      another plugin  in no namespace
      c3e6032f  -              -          l2bridge            10.244.1.40/24                        00-15-5D-52-C0-03  -          Created   ok      unknown         -
      89349029  41c0b2f19ff4a  eth0       storage-dual-stack  10.245.16.2/20, fd00:10:245:16::2/64  00-15-5D-52-D0-00  bbbbbbbb   Attached  ok      win-hcn         -
      351d776f  fe12d1d5a8cfb  eth0       storage-dual-stack  10.245.16.3/20, fd00:10:245:16::3/64  00-15-5D-52-D0-01  -          Detached  ok      win-hcn         in no namespace

      namespace  type         compartment  pods           endpoints  addresses
      cccccccc   HostDefault  1            -              -          -
      aaaaaaaa   Host         2            0e12d1d5a8cfb  5efcf8b5   10.244.1.2
      bbbbbbbb   Host         3            41c0b2f19ff4a  89349029   10.245.16.2, fd00:10:245:16::2

      load balancer  name  network   frontends   ports                                       backends                                                                                              owner
      d4e6032f       -     l2bridge  10.96.0.10  80->8080/tcp                                10.244.1.2, 10.244.2.7 (remote)                                                                       unknown
      d4e6032f       -     l2bridge  10.96.0.11  443->8443/tcp, 443->8443/udp, 80->8080/tcp  10.244.1.2, 10.244.2.7 (remote), 10.244.3.10 (remote), 10.244.3.11 (remote), 10.244.3.12 (remote) +9  unknown
      shortened columns: backends (show all: -o wide)
      "
    `);
  });
});

test('-o wide shows all columns on any terminal', async () => {
  expect((await run('ls -o wide', 80)).stdout).toBe((await run('ls -o wide')).stdout);
});

test('gc at 60 columns, with leftovers of two plugins and unused reservations', async () => {
  expect((await run('gc --other-plugins', 60)).stdout).toMatchInlineSnapshot(`
    "endpoint  pod            leftover         with --yes
    f472cb12  gone           in no namespace  deleted
    a1e6032f  c0ffee         in no namespace  deleted
    351d776f  fe12d1d5a8cfb  in no namespace  deleted
    hidden columns: interface, network, addresses, owner (show
      all: -o wide)

    Unused reservations of host-local:
    address         network   leftover              with --yes
    10.244.1.77     l2bridge  its container has no  kept
                              endpoint and no
                              namespace
    fd00:10:244::9  l2bridge  its container has no  kept
                              endpoint and no
                              namespace
    hidden columns: container, interface (show all: -o wide)

    To release addresses through host-local, run gc with --conf
    FILE --ipam. While no pod is starting, you can also delete
    the files: -o wide shows them.

    No changes made. Rerun with --yes to apply.
    "
  `);
});
