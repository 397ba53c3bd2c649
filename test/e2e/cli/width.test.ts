import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { component, report } from '../../unit/cli/capture/log-lines.ts';
import { scriptedPktmon } from '../../unit/cli/capture/scripted-pktmon.ts';
import { doctorEnvironment } from './doctor-node.ts';
import { container } from './inventory-node.ts';
import { type PopulatedNode, second, startPopulatedNode } from './populated-node.ts';
import { newGuid, type Printed, runCli } from './run-cli.ts';

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
    files: { ...environment.files, ...files, [`C:\\Windows\\Temp\\win-hcn-${newGuid}.txt`]: capturedLog },
    pktmon: scriptedPktmon().run,
    environment: { NO_COLOR: '1' },
    ...(width !== undefined && { width, stderrWidth: width }),
  });
}

/** A command for each kind of table or sentences about the node. */
const commands = [
  'network describe',
  'ls endpoints --remote',
  `show pod ${second}`,
  'show port 80',
  'show 0e12d1 --diff 41c0',
  'gc --other-plugins',
  'doctor',
  'explain 0x803b002f',
  'trace 0e12d1 10.96.0.11:80',
  'config check wrong.conf',
  'config plan valid.conf',
  'network delete storage-dual-stack',
];

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

test.each(commands)('%s fits a terminal of 60 columns, and lines up', async (command) => {
  const lines = linesOf(await run(command, 60));
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(misaligned(lines)).toEqual([]);
});

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
    if (/^$|^hidden columns: |^win-hcn|\.$/.test(line)) starts = [];
    return starts.some((at) => line.slice(at - 2, at).trim() !== '');
  });
}

describe('ls', () => {
  const ls = async (...kinds: readonly string[]) => {
    const printed = await Promise.all(kinds.map((kind) => run(`ls ${kind}`, 80)));
    return printed.map(({ stdout }) => stdout).join('\n');
  };

  test('at 80 columns shows more', async () => {
    expect(await ls('networks', 'services')).toMatchInlineSnapshot(`
      "network   name                subnets              adapter     endpoints
      259f4964  l2bridge            10.244.1.0/24        Ethernet    4 (13 remote)
      76cf7229  storage-dual-stack  10.245.16.0/20,      Ethernet 2  2
                                    fd00:10:245:16::/64
      hidden columns: type (L2Bridge in every row), gateways, ready (yes in every
        row), owner (win-hcn in every row) (show all: -o wide)

      load balancer  network   frontends   ports           backends
      d4e6032f       l2bridge  10.96.0.10  80->8080/tcp    10.244.1.2,
                                                           10.244.2.7 (remote)
      d4e6032f       l2bridge  10.96.0.11  443->8443/tcp,  10.244.1.2,
                                           443->8443/udp,  10.244.2.7 (remote),
                                           80->8080/tcp    10.244.3.10 (remote)
                                                           and 11 more
      "
    `);
  });
});

test('-o wide shows all columns on any terminal', async () => {
  expect((await run('ls -o wide', 80)).stdout).toBe((await run('ls -o wide')).stdout);
});
