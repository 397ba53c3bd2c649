import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { System } from '../../../src/system.ts';
import { type Node, type Pod, startNode } from '../node.ts';
import { failure, type Printed, runCli, success } from './run-cli.ts';

const list = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  plugins: [
    {
      type: 'win-hcn',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.244.1.0/24' }],
      capabilities: { portMappings: true, dns: true },
    },
    { type: 'tuning' },
  ],
};
const conf = 'net.conflist';
const network = '259f4964-2dff-5b46-92f1-633319a59298';
const endpoint = '7a4ff8e8-36a2-58f8-8dd7-59b3c47de727';

let node: Node;
let pod: Pod;
beforeEach(async () => {
  node = await startNode();
  pod = node.newPod('pod1');
});
afterEach(() => node.stop());

/** Runs `win-hcn debug cni` with a configuration file. */
function cni(
  words: readonly string[],
  config: object = list,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  system: Partial<System> = {},
): Promise<Printed> {
  return runCli(['debug', 'cni', ...words], {
    files: { [conf]: JSON.stringify(config), ...files },
    system: { ...node.outside, executable: '/opt/cni/bin/win-hcn', ...system },
  });
}

const pod1 = () => ['--conf', conf, '--container', 'pod1', '--netns', pod.netns];
const add = (...more: readonly string[]) => cni(['add', ...pod1(), ...more]);
const [plugin] = list.plugins;

const result = () => ({
  cniVersion: '1.1.0',
  interfaces: [{ name: 'eth0', mac: '00:15:5d:52:c0:00', sandbox: pod.netns }],
  ips: [{ interface: 0, address: '10.244.1.2/24', gateway: '10.244.1.1' }],
  routes: [{ dst: '0.0.0.0/0', gw: '10.244.1.1' }],
});

const lines = (...text: readonly string[]) => text.map((line) => `${line}\n`).join('');

describe('cni', () => {
  test.each([
    ['ENOSPC', 'the disk is full', []],
    ['EPIPE', 'EPIPE: broken', ['-o', 'json']],
  ])(
    'add by hand whose result cannot be printed (%s) is rolled back, as for a runtime',
    async (errno, problemText, flags) => {
      const writeStdout = () => {
        throw Object.assign(new Error(`${errno}: broken`), { code: errno });
      };
      const config = { ...list, plugins: [{ ...plugin, ipam: { type: 'test-ipam' } }] };
      const neighbour = node.newPod('neighbour');
      await cni(['add', '--conf', conf, '--container', 'neighbour', '--netns', neighbour.netns], config);
      const before = node.hns.dump().endpoints;
      const { exitCode, stdout, stderr } = await cni(
        ['add', ...pod1(), ...flags],
        config,
        {},
        { writeStdout },
      );
      expect({
        exitCode,
        stdout,
        first: stderr.split('\n')[0],
        endpoints: node.hns.dump().endpoints,
        leases: node.ipam.leases.size,
      }).toEqual({
        exitCode: 1,
        stdout: '',
        first: `win-hcn: cannot write the result to stdout: cannot print: ${problemText}`,
        endpoints: before,
        leases: 1,
      });
      expect(before).toHaveLength(1);
    },
  );

  test('add prints the result to stdout and all calls to stderr', async () => {
    expect(await add()).toEqual({
      exitCode: 0,
      stdout: `${JSON.stringify(result(), undefined, 2)}\n`,
      stderr: lines(
        'ADD succeeded: 11 calls in 0 ms',
        '      ms  result                   call                                       object',
        `     0.0  HCN_E_NETWORK_NOT_FOUND  HcnOpenNetwork                             ${network}`,
        `     0.0  ok                       HcnOpenNamespace                           ${pod.netns}`,
        '     0.0  ok                       HcnEnumerateNetworks ×2',
        '     0.0  ok                       listing the network adapters of this host',
        `     0.0  ok                       HcnCreateNetwork                           ${network}`,
        `     0.0  ok                       HcnQueryNetworkProperties ×2               ${network}`,
        `     0.0  ok                       HcnCreateEndpoint                          ${endpoint}`,
        `     0.0  ok                       HcnQueryEndpointProperties                 ${endpoint}`,
        `     0.0  ok                       HcnModifyNamespace                         ${pod.netns}`,
      ),
    });
  });

  test.each<[string, (text: string) => string | Buffer]>([
    ['UTF-8', (text) => text],
    ['the UTF-16 of PowerShell', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('check reads the result of add in %s', async (_, encode) => {
    const files = { 'result.json': encode((await add()).stdout) };
    expect(await cni(['check', ...pod1(), '--prev-result', 'result.json'], list, files)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: lines(
        'CHECK succeeded: 4 calls in 0 ms',
        '      ms  result  call                         object',
        `     0.0  ok      HcnOpenEndpoint              ${endpoint}`,
        `     0.0  ok      HcnOpenNamespace             ${pod.netns}`,
        `     0.0  ok      HcnQueryEndpointProperties   ${endpoint}`,
        `     0.0  ok      HcnQueryNamespaceProperties  ${pod.netns}`,
      ),
    });
  });

  test('del works without a namespace', async () => {
    await add();
    expect(await cni(['del', '--conf', conf, '--container', 'pod1'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: lines(
        'DEL succeeded: 1 call in 0 ms',
        '      ms  result  call               object',
        `     0.0  ok      HcnDeleteEndpoint  ${endpoint}`,
      ),
    });
    expect(node.hns.dump().endpoints).toEqual([]);
  });

  test.each([
    [['--keep', 'pod2/eth0', '--keep', 'pod1/eth0'], 1],
    [['--keep', 'pod2/eth0'], 0],
    [['--keep-none'], 0],
  ])('gc with %j keeps %i endpoints', async (flags, left) => {
    await add();
    expect(await cni(['gc', '--conf', conf, ...flags, '--yes'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(node.hns.dump().endpoints).toHaveLength(left);
  });

  describe('gc with nothing to delete', () => {
    const gc = (config: object = list) => cni(['gc', '--conf', conf, '--keep', 'pod1/eth0'], config);
    test('reports it with exit code 0', async () => {
      expect(await gc()).toEqual(success('Nothing to delete.'));
      await add();
      expect(await gc()).toEqual(success('Nothing to delete.'));
    });

    test('reports that the IPAM plugin may release addresses', async () => {
      const config = { ...list, plugins: [{ ...plugin, ipam: { type: 'azure-ipam' } }] };
      expect(await gc(config)).toEqual(
        success(
          'No endpoints to delete. With --yes, IPAM plugin azure-ipam also releases the addresses of attachments that --keep does not name.',
        ),
      );
    });

    afterEach(() => expect(node.ipam.runs).toEqual([]));
  });

  test('gc previews the other deletions if an endpoint cannot be read', async () => {
    await add();
    await cni(['add', '--conf', conf, '--container', 'pod2', '--netns', node.newPod().netns]);
    node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 4, effect: { hresult: 0x80004005 } });
    const { exitCode, stdout, stderr } = await cni(['gc', '--conf', conf, '--keep', 'pod3/eth0']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(
        /^Deletes 1 endpoint on "l2bridge":\n1\. Container pod\d loses interface eth0 \(10/,
      ),
    });
    expect(stderr).toContain('E_FAIL');
    expect(node.hns.dump().endpoints).toHaveLength(2);
  });

  test('gc without valid attachments is refused by the plugin', async () => {
    expect(await cni(['gc', '--conf', conf])).toEqual({
      exitCode: 1,
      stdout: `${JSON.stringify(
        {
          cniVersion: '1.1.0',
          code: 7,
          msg: '/cni.dev/valid-attachments is missing, expected the attachments to keep',
          details: 'an empty list deletes all endpoints that the plugin created on the network',
        },
        undefined,
        2,
      )}\n`,
      stderr: 'GC failed: 0 calls in 0 ms\n',
    });
  });

  test('version needs no configuration', async () => {
    const { exitCode, stdout, stderr } = await cni(['version']);
    expect({ exitCode, stderr, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      stderr: '',
      cniVersion: '1.1.0',
    });
  });

  test('passes the file with its runtimeConfig, and -o json prints all', async () => {
    const runtimeConfig = { dns: { servers: ['10.96.0.10'] } };
    const config = { ...list, plugins: [{ ...plugin, runtimeConfig }] };
    const { stdout } = await cni(['add', ...pod1(), '--args', 'A=B', '-o', 'json'], config);
    const { milliseconds, calls, result: printed, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      version: 1,
      environment: [
        'CNI_COMMAND=ADD',
        'CNI_PATH=/opt/cni/bin',
        'CNI_CONTAINERID=pod1',
        `CNI_NETNS=${pod.netns}`,
        'CNI_IFNAME=eth0',
        'CNI_ARGS=A=B',
      ],
      document: {
        ...list.plugins[0],
        name: 'l2bridge',
        cniVersion: '1.1.0',
        runtimeConfig,
      },
      exitCode: 0,
    });
    expect({ milliseconds, printed }).toEqual({
      milliseconds: 0,
      printed: { ...result(), dns: { nameservers: ['10.96.0.10'] } },
    });
    expect(calls[0]).toEqual({
      event: 'call',
      call: 'HcnOpenNetwork',
      id: network,
      milliseconds: 0,
      hresult: '0x803b0001',
      errorRecord: expect.stringContaining('"ErrorCode":2151350273'),
    });
  });
});

describe('cni exits with 3 if the Host Network Service', () => {
  test('hangs, and lists the pending call', async () => {
    node.hns.inject({ function: 'HcnOpenNetwork', effect: { hang: true } });
    expect(await add()).toMatchObject({
      exitCode: 3,
      stderr: lines(
        'waiting for HcnOpenNetwork, up to 90 s...',
        'ADD failed: 2 calls in 90000 ms',
        '      ms  result       call              object',
        `     0.0  ok           HcnOpenNamespace  ${pod.netns}`,
        ` 90000.0  no response  HcnOpenNetwork    ${network}`,
      ),
    });
  });

  test.each(['status', 'del'])('is not installed, for %s', async (command) => {
    const { loadLibrary } = (await import('../../../src/system.ts')).system;
    const words = [command, '--conf', conf, ...(command === 'del' ? ['--container', 'pod1'] : [])];
    const printed = await cni(words, list, {}, { loadLibrary });
    expect(printed.exitCode).toBe(3);
  });
});

describe('cni selects the plugin to run', () => {
  const status = (plugins: readonly unknown[]) => cni(['status', '--conf', conf], { ...list, plugins });

  test('and refuses a list with several for win-hcn', async () => {
    const plugins = [plugin, { type: 'sdnbridge', master: 'Ethernet' }];
    expect(await status(plugins)).toEqual(
      failure(2, 'win-hcn: net.conflist has more than one plugin for win-hcn (plugins: win-hcn, sdnbridge)'),
    );
  });

  test('with the latest of its versions, in cniVersions or not', async () => {
    const versions = { cniVersion: '1.1.0', cniVersions: ['0.4.0', '1.0.0'] };
    const printed = await cni(['status', '--conf', conf], { ...list, ...versions });
    expect(printed).toMatchObject({ exitCode: 0 });
  });

  test('and reports problems in a file that is not JSON', async () => {
    const files = { bad: '{\n  "name" "n"\n}' };
    expect(await cni(['status', '--conf', 'bad'], list, files)).toEqual(
      failure(1, 'bad:2:10: problem: invalid JSON at "\\"": colon expected'),
    );
  });
});

describe('cni exits with 2', () => {
  test.each([
    [['add'], "required option '--conf <file>' not specified", 'add'],
    [
      ['gc', '--conf', conf, '--keep', 'pod1'],
      "option '--keep <container/ifname>' argument 'pod1' is invalid. expected CONTAINER/IFNAME, such as pod1/eth0",
      'gc',
    ],
  ])('for %j', async (words, problem, command) => {
    expect(await cni(words)).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn debug cni ${command} --help' for usage.`),
    );
  });
});
