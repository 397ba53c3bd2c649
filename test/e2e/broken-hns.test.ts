import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fault, type Hns, startHns } from '../hns/hns.ts';
import { example } from './example.ts';
import { type Ended, runBundle } from './process.ts';

const limitSeconds = 1;
const config = example('l2bridge', { cniVersion: '1.1.0', hcnTimeoutSeconds: limitSeconds });

let hns: Hns;
let environment: Readonly<Record<string, string>>;
let prevResult: object;

beforeEach(async () => {
  hns = await startHns();
  environment = {
    ...hns.environment,
    CNI_CONTAINERID: 'standing',
    CNI_NETNS: hns.createNamespace(),
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/opt/cni/bin',
  };
  prevResult = JSON.parse((await run('ADD of a new pod', environment)).stdout);
  hns.clearCalls();
});
afterEach(() => hns.stop());

/** Requests beside an attachment that stands: each would change or judge something if HNS worked. */
type Request = 'ADD of a new pod' | 'CHECK' | 'DEL' | 'DEL of nothing' | 'GC of everything' | 'STATUS';

function run(request: Request, changes: Readonly<Record<string, string>> = {}, members = {}): Promise<Ended> {
  const [command = ''] = request.split(' ');
  const others: Readonly<Partial<Record<Request, Record<string, string>>>> = {
    'ADD of a new pod': { CNI_CONTAINERID: 'new', CNI_NETNS: hns.createNamespace() },
    'DEL of nothing': { CNI_CONTAINERID: 'nothing' },
  };
  const stdin = {
    ...config,
    'cni.dev/valid-attachments': [],
    ...(command === 'CHECK' && { prevResult }),
    ...members,
  };
  return runBundle(
    { ...environment, CNI_COMMAND: command, ...others[request], ...changes },
    JSON.stringify(stdin),
  );
}

/** From now on every call meets it, or every call of one function. */
function everyCall(effect: Fault['effect'], name?: string): void {
  for (let ordinal = 1; ordinal <= 30; ordinal += 1)
    hns.inject({ ordinal, effect, ...(name !== undefined && { function: name }) });
}

const objects = () => {
  const { networks, endpoints } = hns.dump();
  return { networks, endpoints };
};

async function codesOf(requests: readonly Request[], changes = {}): Promise<object> {
  const ended = await Promise.all(requests.map((request) => run(request, changes)));
  return Object.fromEntries(
    ended.map(({ exitCode, stdout }, index) => [
      requests[index],
      exitCode === 0 ? 'succeeds' : JSON.parse(stdout).code,
    ]),
  );
}

const all: readonly Request[] = [
  'ADD of a new pod',
  'CHECK',
  'DEL',
  'DEL of nothing',
  'GC of everything',
  'STATUS',
];
const unknown = {
  'ADD of a new pod': 11,
  CHECK: 11,
  DEL: 11,
  'DEL of nothing': 11,
  'GC of everything': 11,
  STATUS: 50,
};

describe('nothing is taken for absent and nothing changes', () => {
  test('when nothing listens', async () => {
    const before = objects();
    expect(await codesOf(all, { WIN_HCN_SIMULATED_HNS: '127.0.0.1:1' })).toEqual(unknown);
    expect(objects()).toEqual(before);
  });

  test.each<[string, Fault['effect']]>([
    ['the service stops', { hresult: 0x803b0020 }],
    ['the system shuts down', { hresult: 0x8007045b }],
    ['the service has not been started', { hresult: 0x80070426 }],
    ['the service is disabled', { hresult: 0x80070422 }],
    ['the RPC server is unavailable', { hresult: 0x800706ba }],
    ['remote procedure calls fail', { hresult: 0x800706be }],
    ['the service times out', { hresult: 0x800705b4 }],
    ['connections drop', { drop: 'before' }],
    ['every call hangs', { hang: true }],
  ])('when %s', async (_, effect) => {
    const before = objects();
    for (let request = 0; request < all.length; request += 1) everyCall(effect);
    expect(await codesOf(all)).toEqual(unknown);
    expect(objects()).toEqual(before);
  });
});

describe('half an answer is none', () => {
  const errorRecord = '{"Success":false,"Error":"Catastrophic failure. ","ErrorCode":2147549183}';

  test.each<[string, readonly Request[], string]>([
    ['HcnEnumerateNetworks', ['ADD of a new pod', 'GC of everything', 'STATUS'], '[{}]'],
    ['HcnQueryNetworkProperties', ['ADD of a new pod', 'GC of everything', 'STATUS'], '{"Name":"l2bridge"}'],
    ['HcnEnumerateEndpoints', ['DEL of nothing', 'GC of everything'], '["standing_eth0_l2bridge"]'],
    ['HcnQueryEndpointProperties', ['CHECK', 'GC of everything'], '{"Name":"standing_eth0_l2bridge"}'],
    ['HcnQueryNamespaceProperties', ['CHECK'], '{"Type":"Host"}'],
  ])('of %s', async (name, requests, withoutIds) => {
    const before = objects();
    const isList = name.startsWith('HcnEnumerate');
    const halves: readonly Fault['effect'][] = [
      { answer: '<html><body>503 Service Unavailable</body></html>' },
      { answer: isList ? '["259f4964-2dff-5b46-' : '{"ID":"259f4964-2dff-5b46-92f1-633319a59298","Na' },
      { answer: withoutIds },
      { errorRecord },
    ];
    for (const effect of halves) {
      everyCall(effect, name);
      const expected = requests.map((request) => [request, unknown[request]]);
      expect([effect, await codesOf(requests)]).toEqual([effect, Object.fromEntries(expected)]);
      hns.clearFaults();
    }
    expect(hns.calls.map((call) => call.function)).not.toContain('HcnCreateNetwork');
    expect(objects()).toEqual(before);
  });

  test('of HcnDeleteEndpoint', async () => {
    everyCall({ errorRecord }, 'HcnDeleteEndpoint');
    expect(await codesOf(['GC of everything'])).toEqual({ 'GC of everything': 11 });
  });
});

describe('the deadline', () => {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  test.each(all.filter((request) => request !== 'DEL of nothing'))(
    'of %s is kept when calls hang, and the process is gone within a second of it',
    async (request) => {
      const normal = await timed(() => run('STATUS'));
      everyCall({ hang: true });
      const hanging = await timed(() => run(request));
      expect(hanging).toBeGreaterThan(limitSeconds * 1000);
      expect(hanging).toBeLessThan(limitSeconds * 1000 + 1000 + 5 * normal);
    },
  );

  test('is of one call: requests whose calls are all slow succeed', async () => {
    const delayMs = 150;
    const slow = async (request: Request, members = {}) => {
      hns.clearCalls();
      everyCall({ delayMs });
      const took = await timed(async () => {
        const ended = await run(request, {}, { hcnTimeoutSeconds: 60, ...members });
        expect(ended).toMatchObject({ exitCode: 0 });
      });
      hns.clearFaults();
      expect(took).toBeGreaterThan(hns.calls.length * delayMs);
    };
    await slow('ADD of a new pod');
    await slow('CHECK');
    await slow('STATUS');
    await slow('DEL of nothing');
    const attachment = { containerID: 'standing', ifname: 'eth0' };
    await slow('GC of everything', { 'cni.dev/valid-attachments': [attachment] });
    await slow('DEL');
    expect(hns.dump().endpoints).toEqual([]);
  });
});

describe('what takes effect after its deadline is no orphan', () => {
  const late = { CNI_CONTAINERID: 'late' };
  const names = () => hns.dump().endpoints.map((endpoint) => endpoint['Name']);

  beforeEach(async () => {
    environment = { ...environment, CNI_NETNS: hns.createNamespace() };
    hns.inject({ function: 'HcnCreateEndpoint', effect: { delayMs: 3000 } });
    const ended = await run('ADD of a new pod', { ...environment, ...late });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      code: 11,
      msg: expect.stringContaining('HcnCreateEndpoint did not answer within 1 s'),
      details: expect.stringContaining('may still appear'),
    });
    await expect.poll(names, { timeout: 30_000 }).toEqual(['standing_eth0_l2bridge', 'late_eth0_l2bridge']);
  });

  test('but removed by the DEL that the runtime sends', async () => {
    expect(await run('DEL', late)).toMatchObject({ exitCode: 0 });
    expect(names()).toEqual(['standing_eth0_l2bridge']);
  });

  test('but replaced by the next ADD of the same attachment', async () => {
    expect(await run('ADD of a new pod', { ...environment, ...late })).toMatchObject({ exitCode: 0 });
    expect(hns.dump().endpoints).toMatchObject([
      { Name: 'standing_eth0_l2bridge' },
      { Name: 'late_eth0_l2bridge', HostComputeNamespace: environment['CNI_NETNS'] },
    ]);
  });

  test('but collected by GC', async () => {
    const valid = { 'cni.dev/valid-attachments': [{ containerID: 'standing', ifname: 'eth0' }] };
    expect(await run('GC of everything', {}, valid)).toMatchObject({ exitCode: 0 });
    expect(names()).toEqual(['standing_eth0_l2bridge']);
  });
});

test('a network that is created after its deadline is found by the next ADD', async () => {
  const members = { name: 'another', adapter: 'Ethernet 2' };
  await hns.stop();
  hns = await startHns({ adapters: [{ name: 'Ethernet 2', managementIp: '10.0.0.5' }] });
  environment = { ...environment, ...hns.environment };
  hns.inject({ function: 'HcnCreateNetwork', effect: { delayMs: 3000 } });
  expect(JSON.parse((await run('ADD of a new pod', {}, members)).stdout)).toMatchObject({ code: 11 });
  const names = () => hns.dump().networks.map((network) => network['Name']);
  await expect.poll(names, { timeout: 30_000 }).toEqual(['another']);
  expect(await run('ADD of a new pod', {}, members)).toMatchObject({ exitCode: 0 });
  expect(names()).toEqual(['another']);
});
