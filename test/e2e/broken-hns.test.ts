import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/plugin/outcome.ts';
import type { Fault, Hns } from '../simulator/hns.ts';
import { example } from './example.ts';
import { type Node, type Pod, startNode } from './node.ts';
import { type Ended, type Running, startBundle } from './process.ts';

/** Long enough that only calls that hang are late. */
const config = example('l2bridge', { cniVersion: '1.1.0', hcnTimeoutSeconds: 120 });

let node: Node;
let hns: Hns;
let environment: Readonly<Record<string, string>>;
let prevResult: object;

beforeEach(async () => {
  node = await startNode({}, undefined, (service) => service.withoutDlls());
  hns = node.hns;
  environment = {
    ...hns.environment,
    CNI_CONTAINERID: 'standing',
    CNI_NETNS: hns.createNamespace(),
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/opt/cni/bin',
  };
  prevResult = (await node.add(config, standing())).json;
  hns.clearCalls();
});
afterEach(() => node.stop());

const standing = (): Pod => ({ containerId: 'standing', netns: String(environment['CNI_NETNS']) });

/** Requests on a node with an attachment. Each would change or check something if HNS worked. */
type Request = 'ADD of a new pod' | 'CHECK' | 'DEL' | 'DEL of an unknown pod' | 'GC of everything' | 'STATUS';

/** The command, its changes to the environment of the attachment, and the document on stdin. */
function given(request: Request, members: object) {
  const [command = ''] = request.split(' ');
  const others: Readonly<Partial<Record<Request, Record<string, string>>>> = {
    'ADD of a new pod': { CNI_CONTAINERID: 'new', CNI_NETNS: hns.createNamespace() },
    'DEL of an unknown pod': { CNI_CONTAINERID: 'nothing' },
  };
  const stdin = {
    ...config,
    'cni.dev/valid-attachments': [],
    ...(command === 'CHECK' && { prevResult }),
    ...members,
  };
  return { command, changes: others[request], stdin };
}

/** Starts a request as a process. */
function start(request: Request, members = {}, more: Readonly<Record<string, string>> = {}): Running {
  const { command, changes, stdin } = given(request, members);
  return startBundle({ ...environment, CNI_COMMAND: command, ...changes, ...more }, JSON.stringify(stdin));
}

/** Runs a request in this process. */
function runHere(request: Request, members = {}): Promise<Outcome> {
  const { command, changes, stdin } = given(request, members);
  return node.cni(command, { config: stdin, pod: standing(), ...(changes && { environment: changes }) });
}

const run = (...request: Parameters<typeof start>): Promise<Ended> => start(...request).ended;

const objects = () => {
  const { networks, endpoints } = hns.dump();
  return { networks, endpoints };
};

/** Runs requests at once, then STATUS, which waits one second for HCN. */
async function answersOf(
  requests: readonly Request[],
  members = {},
  runOne: (request: Request, members: object) => Promise<Pick<Ended, 'exitCode' | 'stdout'>> = runHere,
): Promise<object> {
  const answer = async (request: Request) => {
    const { exitCode, stdout } = await runOne(request, members);
    return [request, exitCode === 0 ? 'succeeds' : JSON.parse(stdout)] as const;
  };
  const others = await Promise.all(requests.filter((request) => request !== 'STATUS').map(answer));
  return Object.fromEntries(requests.includes('STATUS') ? [...others, await answer('STATUS')] : others);
}

/** Expects error 11, or 50 of STATUS, with this text. */
const unknown = (requests: readonly Request[], said: string): object =>
  Object.fromEntries(
    requests.map((request) => [
      request,
      expect.objectContaining({ code: request === 'STATUS' ? 50 : 11, msg: expect.stringContaining(said) }),
    ]),
  );

const all: readonly Request[] = [
  'ADD of a new pod',
  'CHECK',
  'DEL',
  'DEL of an unknown pod',
  'GC of everything',
  'STATUS',
];

describe('nothing counts as absent and nothing changes', () => {
  test('when no service is listening', async () => {
    const before = objects();
    const nowhere = { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' };
    expect(await answersOf(all, {}, (request) => run(request, {}, nowhere))).toEqual(
      unknown(all, 'EPT_S_NOT_REGISTERED (0x800706d9)'),
    );
    expect(objects()).toEqual(before);
  });

  test.each<[string, Fault['effect'], string]>([
    ['the service stops', { hresult: 0x803b0020 }, 'HCN_E_MANAGER_STOPPED (0x803b0020)'],
    ['remote procedure calls fail', { hresult: 0x800706be }, 'RPC_S_CALL_FAILED (0x800706be)'],
    ['connections drop', { drop: 'before' }, 'RPC_S_CALL_FAILED (0x800706be)'],
  ])('when %s', async (_, effect, said) => {
    const before = objects();
    hns.inject({ ordinal: 'every', effect });
    expect(await answersOf(all)).toEqual(unknown(all, said));
    expect(objects()).toEqual(before);
  });

  test.each<[string, Fault['effect'], string]>([
    ['the service times out', { hresult: 0x800705b4 }, 'ERROR_TIMEOUT (0x800705b4)'],
    ['every call hangs', { hang: true }, 'did not respond within'],
  ])('when %s; STATUS succeeds', async (_, effect, said) => {
    const before = objects();
    hns.inject({ ordinal: 'every', effect });
    const others = all.filter((request) => request !== 'STATUS');
    expect(await answersOf(all, { hcnTimeoutSeconds: 1 })).toEqual({
      ...unknown(others, said),
      STATUS: 'succeeds',
    });
    expect(objects()).toEqual(before);
  });
});

describe('an invalid response is an error', () => {
  const errorRecord = '{"Success":false,"Error":"Catastrophic failure. ","ErrorCode":2147549183}';

  test.each<[string, readonly Request[], string, string, object?]>([
    [
      'HcnEnumerateNetworks',
      ['ADD of a new pod', 'GC of everything', 'STATUS'],
      '[{}]',
      'an id',
      { createNetwork: 'never' },
    ],
    [
      'HcnQueryNetworkProperties',
      ['ADD of a new pod', 'GC of everything', 'STATUS'],
      '{"Name":"l2bridge"}',
      'an id',
    ],
    [
      'HcnEnumerateEndpoints',
      ['DEL of an unknown pod', 'GC of everything'],
      '["standing_l2bridge_eth0"]',
      'an id',
    ],
    [
      'HcnQueryEndpointProperties',
      ['CHECK', 'GC of everything'],
      '{"Name":"standing_l2bridge_eth0"}',
      'an id',
    ],
    ['HcnQueryNamespaceProperties', ['CHECK'], '{"Type":"Host"}', 'an id'],
  ])('of %s', async (name, requests, withoutIds, expected, members) => {
    const before = objects();
    const isList = name.startsWith('HcnEnumerate');
    const cut = isList ? '["259f4964-2dff-5b46-' : '{"ID":"259f4964-2dff-5b46-92f1-633319a59298","Na';
    const noJson = (answer: string) =>
      [{ answer }, `HCN returned ${JSON.stringify(answer)}, expected JSON`] as const;
    const halves: readonly (readonly [Fault['effect'], string])[] = [
      noJson('<html><body>503 Service Unavailable</body></html>'),
      noJson(cut),
      [{ answer: withoutIds }, `expected ${expected}`],
      [{ errorRecord }, 'E_UNEXPECTED (0x8000ffff)'],
    ];
    for (const [effect, said] of halves) {
      hns.inject({ function: name, ordinal: 'every', effect });
      expect(await answersOf(requests, members)).toEqual(unknown(requests, said));
      hns.clearFaults();
    }
    expect(hns.calls.map((call) => call.function)).not.toContain('HcnCreateNetwork');
    expect(objects()).toEqual(before);
  });
});

describe('the process of a request with hanging calls', () => {
  const limit = 3;

  // The crash matrix has the limits of the other commands; all processes end in the same way, that of STATUS with success above.
  test('runs DEL up to its time limit and ends soon after its result', async () => {
    hns.inject({ ordinal: 'every', effect: { hang: true } });
    const started = performance.now();
    const { answered, ended } = start('DEL', { hcnTimeoutSeconds: limit });
    await answered;
    const waited = performance.now() - started;
    expect(await ended).toMatchObject({ stdout: expect.stringContaining(`within ${limit} s`) });
    const lingered = performance.now() - started - waited;
    expect(waited).toBeGreaterThan(limit * 1000);
    expect(lingered).toBeLessThan(waited / 2);
  });
});

test("an endpoint that HNS creates after the end of its ADD is deleted by the runtime's DEL", async () => {
  const late = { CNI_CONTAINERID: 'late', CNI_NETNS: hns.createNamespace() };
  const names = () => hns.dump().endpoints.map((endpoint) => endpoint['Name']);
  hns.inject({ function: 'HcnCreateEndpoint', effect: { hold: 'before' } });
  const { stdout } = await run('ADD of a new pod', { hcnTimeoutSeconds: 3 }, late);
  expect(JSON.parse(stdout)).toMatchObject({
    code: 11,
    msg: expect.stringContaining('HcnCreateEndpoint did not respond within 3 s'),
    details: expect.stringContaining('may still appear'),
  });
  expect(names()).toEqual(['standing_l2bridge_eth0']);
  hns.release();
  await expect.poll(names).toEqual(['standing_l2bridge_eth0', 'late_l2bridge_eth0']);
  expect(await run('DEL', {}, late)).toMatchObject({ exitCode: 0 });
  expect(names()).toEqual(['standing_l2bridge_eth0']);
});
