import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../src/plugin/run.ts';
import { type System, system } from '../../src/system.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
let folder: string;
let logFile: string;
beforeEach(async () => {
  node = await startNode();
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-log-'));
  logFile = join(folder, 'logs', 'win-hcn.log');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await node.stop();
});

/** The lines, with times, durations and the request's id of this run checked and removed. */
function lines(): readonly Readonly<Record<string, unknown>>[] {
  const requests = new Set<string>();
  const read = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  const entries = read.map((line) => {
    const { time, request, milliseconds, ...entry } = JSON.parse(line);
    expect(new Date(time).toISOString()).toBe(time);
    expect(milliseconds ?? 0).toBeGreaterThanOrEqual(0);
    requests.add(request);
    return entry;
  });
  expect([...requests]).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
  return entries;
}

const guid = expect.stringMatching(/^[0-9a-f-]{36}$/);

test('an ADD logs the request, every call with its HRESULT, every run of an IPAM plugin, and the result', async () => {
  await node.add(example('l2bridge'));
  const pod = node.newPod('c0ffee');
  const config = example('l2bridge', { logFile, ipam: { type: 'test-ipam' } });
  const environment = { CNI_ARGS: 'IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0' };
  expect(await node.cni('ADD', { config, pod, environment })).toMatchObject({ exitCode: 0 });
  const ok = { event: 'call', hresult: '0x00000000' };
  const [network] = node.hns.dump().networks;
  const id = network?.['ID'];
  expect(lines()).toEqual([
    {
      event: 'request',
      version: 'from its sources',
      command: 'ADD',
      containerId: 'c0ffee',
      ifname: 'eth0',
      netns: pod.netns,
      pod: 'shop/web-0',
    },
    { event: 'configuration', name: 'l2bridge', type: 'win-hcn', cniVersion: '1.0.0' },
    { ...ok, call: 'HcnOpenNetwork', id },
    { ...ok, call: 'HcnOpenNamespace', id: pod.netns },
    { ...ok, call: 'HcnQueryNetworkProperties', id },
    { event: 'run', plugin: '/opt/cni/bin/test-ipam', command: 'ADD', exitCode: 0 },
    { ...ok, call: 'HcnCreateEndpoint', id: guid },
    { ...ok, call: 'HcnQueryEndpointProperties', id: guid },
    { ...ok, call: 'HcnModifyNamespace', id: pod.netns },
    { event: 'answer', code: 0 },
  ]);
});

test.each([
  ['HcnCreateEndpoint', '"Name":"pod2_l2bridge_eth0"'],
  ['HcnModifyNamespace', '"ResourceType":"Endpoint"'],
])('a refused %s is logged with error record and document, and the error names the log', async (...row) => {
  const [call, document] = row;
  await node.add(example('l2bridge'));
  node.hns.inject({ function: call, effect: { hresult: 0x803b000d } });
  const config = example('l2bridge', { logFile });
  const answer = await node.add(config);
  const [, request] = / as request ([0-9a-f]{8})$/.exec(answer.json.details) ?? [];
  expect(answer.json.details).toContain(`logged in ${logFile} as request ${request}`);
  expect(readFileSync(logFile, 'utf8')).toContain(`"request":"${request}"`);
  const refused = lines().find(({ hresult }) => hresult === '0x803b000d');
  expect(refused).toEqual({
    event: 'call',
    call,
    id: guid,
    hresult: '0x803b000d',
    errorRecord: expect.stringContaining('"ErrorCode":2151350285'),
    document: expect.stringContaining(document),
  });
  expect(lines().at(-1)).toMatchObject({ event: 'answer', code: 100, msg: answer.json.msg });
});

describe("the log has no secret of stdin, CNI_ARGS, the environment or a plugin's output", () => {
  const secret = 'correct horse battery staple';
  const ipam = { type: 'test-ipam' };
  const failing = (stdout: string) => () => node.ipam.override.set('ADD', { exitCode: 1, stdout });

  test.each<[string, object, () => unknown]>([
    [
      "in a comment, arguments or the IPAM plugin's own keys",
      {
        'x-note': secret,
        args: { cni: {}, other: secret },
        ipam: { ...ipam, password: secret },
      },
      () => node.hns.inject({ function: 'HcnModifyNamespace', effect: { hresult: 0x80004005 } }),
    ],
    ['in an unknown key', { password: secret }, () => undefined],
    ['in `type`', { type: { password: secret }, mtu: -1 }, () => undefined],
    [
      'in the error of an IPAM plugin',
      { ipam },
      failing(JSON.stringify({ code: 110, msg: secret, details: secret })),
    ],
  ])('%s', async (_, changes, prepare) => {
    const config = example('l2bridge', { logFile, ...changes });
    const environment = { CNI_ARGS: `IgnoreUnknown=1;TOKEN=${secret}`, AWS_SECRET_ACCESS_KEY: secret };
    prepare();
    const answer = await node.cni('ADD', { config, pod: node.newPod(), environment });
    expect(answer.exitCode).toBe(1);
    expect(lines().at(-1)).toMatchObject({
      event: 'answer',
      code: answer.json.code,
      msg: expect.any(String),
    });
    expect(readFileSync(logFile, 'utf8')).not.toContain(secret);
  });
});

describe('the file', () => {
  test.each(['win-hcn.log', '\\\\server\\share\\a.log', 'C:\\a.log:b'])(
    'is never %s: ADD refuses it, DEL runs without it',
    async (name) => {
      const config = example('l2bridge', { logFile: name });
      const pod = node.newPod();
      expect(await node.add(config, pod)).toMatchObject({
        exitCode: 1,
        json: { code: 7, msg: expect.stringContaining('/logFile is ') },
      });
      expect(await node.del(config, pod)).toMatchObject({ exitCode: 0 });
    },
  );
});

test('an internal error logs its stack, without the message, which may quote input', async () => {
  const failing: System = {
    ...system,
    environment: { CNI_COMMAND: 'DEL', CNI_CONTAINERID: 'c0ffee', CNI_IFNAME: 'eth0' },
    readStdin: () => Buffer.from(JSON.stringify(example('l2bridge', { logFile }))),
    loadLibrary: async () => {
      throw new TypeError('the password is 1234');
    },
  };
  expect(await run(failing)).toMatchObject({ exitCode: 1 });
  const answer = lines().at(-1);
  expect(answer).toMatchObject({ event: 'answer', stack: expect.stringMatching(/^ {4}at .*loadLibrary/) });
  expect(answer?.['stack']).not.toContain('1234');
});
