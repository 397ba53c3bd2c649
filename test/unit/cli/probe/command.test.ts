import { expect, test } from 'vitest';
import type { ScriptResult } from '../../../../src/cli/powershell.ts';
import {
  type ComputeNetworkLibrary,
  type HcnInterceptor,
  type HcnResponse,
  interceptHcnCalls,
} from '../../../../src/hcn/library.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { type CliEnvironment, runCli } from '../../../e2e/cli/run-cli.ts';
import { eventClock, timed } from '../../../e2e/clock.ts';
import { serviceLibrary } from '../../../properties/service-library.ts';
import { type HnsOptions, initialState } from '../../../simulator/hns.ts';
import { type HresultName, hresultOf } from '../../../simulator/hresults.ts';
import { ipHelperWithoutDll } from '../../../simulator/without-dll.ts';
import { folded, numbered } from './experiment.ts';

/** `late`: HCN never responds, but the call takes effect. */
type Answer = HresultName | 'hangs' | 'late';

/** A call of the probe, with its number among the calls of this function, from 1. */
interface Asked {
  readonly name: string;
  readonly ordinal: number;
}

interface Given {
  readonly options?: HnsOptions;
  /** Objects that exist before: the kind, the ID and the document of each; of endpoints also the ID of the network. */
  readonly existing?: readonly Existing[];
  readonly answer?: (call: Asked, interrupt: () => void) => Answer | undefined;
  /** The adapters that Windows lists instead, after so many milliseconds. */
  readonly adapters?: (usual: readonly HostAdapter[], time: number) => readonly HostAdapter[] | 'hangs';
  readonly environment?: CliEnvironment;
  /** Default: no log. */
  readonly logFile?: string;
  readonly openLog?: (path: string) => (text: string) => boolean;
}

type Existing = readonly [
  kind: 'Network' | 'Endpoint' | 'Namespace' | 'LoadBalancer',
  id: string,
  members: object,
  member?: string,
];

/** Runs `win-hcn probe` on a simulated node of its own. Waiting takes no time. */
async function probe(words: readonly string[], given: Given = {}): Promise<string> {
  const { options = {}, existing = [], answer, adapters, environment, logFile = '', openLog } = given;
  const state = initialState(options);
  const standing: string[] = [];
  const watchers: (() => void)[] = [];
  const clock = eventClock({
    standing,
    nextStanding: () => new Promise<void>((resolve) => void watchers.push(resolve)),
  });
  const service = serviceLibrary(state);
  for (const one of existing) await create(service, one);
  const events: string[] = [];
  const counts = new Map<string, number>();
  const interrupt = new AbortController();
  const never = <T>(name: string): Promise<T> =>
    new Promise(() => {
      standing.push(name);
      for (const resolve of watchers.splice(0)) resolve();
    });
  const interceptor: HcnInterceptor = async (call, make) => {
    const { name } = call;
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    const [prefix] = /\d+\.\d+\.\d+\.0\/24/.exec(call.document ?? '') ?? [];
    events.push(prefix === undefined ? name : `${name} ${prefix}`);
    const replacement = answer?.({ name, ordinal }, () => interrupt.abort());
    if (replacement === undefined) return make();
    if (replacement === 'late') await make();
    if (replacement === 'late' || replacement === 'hangs') return never(name);
    // The value of a refused call means nothing.
    return { hresult: hresultOf(replacement), value: '', errorRecord: '{}' } as HcnResponse<never>;
  };
  const library = timed(
    interceptHcnCalls(async () => service, interceptor),
    clock,
  );
  const ipHelper = ipHelperWithoutDll(state);
  const log: string[] = [];
  const powershell =
    environment?.powershell ?? ((): ScriptResult => ({ problem: 'cannot run PowerShell: ENOENT' }));
  const { exitCode, stdout, stderr } = await runCli(['probe', ...words], {
    signal: interrupt.signal,
    ...environment,
    ...(environment?.stderrWidth !== undefined && {
      listener: (text) => void events.push(JSON.stringify(text.trim())),
    }),
    powershell: (script) => {
      events.push(`PowerShell ${/Stop-Service|ProductName|GetAllNetworkInterfaces/.exec(script)?.[0]}`);
      return powershell(script);
    },
    system: {
      loadLibrary: async () => library,
      loadIpHelper: async () =>
        timed(
          {
            ...ipHelper,
            readAdapters: async () => {
              events.push('reads adapters');
              const usual = await ipHelper.readAdapters();
              const listed = adapters?.(usual, clock.now()) ?? usual;
              return listed === 'hangs' ? never('GetAdaptersAddresses') : listed;
            },
          },
          clock,
        ),
      timer: (milliseconds, call) =>
        clock.timer(milliseconds, () => {
          events.push(`${milliseconds} ms later`);
          call();
        }),
      now: () => 86_400_000 + clock.now(),
      clock: () => new Date('2026-03-01T12:00:00.000Z'),
      logFile,
      openLog: openLog ?? ((path) => (text) => log.push(`${path}: ${text}`) > 0),
      ...environment?.system,
    },
  });
  const { networks, endpoints, namespaces, loadBalancers } = state;
  // One namespace is the node's.
  const left = networks.size + endpoints.size + namespaces.size + loadBalancers.size - 1;
  return numbered(
    [
      `$ win-hcn probe ${words.join(' ')}`,
      ...[stdout, stderr, log.join('')].filter((text) => text !== ''),
      `exits with ${exitCode} after ${clock.now()} ms, leaves ${left} objects`,
      folded(events).join(', '),
    ]
      .join('\n')
      .replaceAll(/(LastUpdateTime"?: ?)\d+/g, '$1now'),
  );
}

async function create(service: ComputeNetworkLibrary, [kind, id, members, member]: Existing): Promise<void> {
  const document = JSON.stringify({ SchemaVersion: { Major: 2, Minor: 0 }, ...members });
  if (kind !== 'Endpoint') {
    const { value } = await service.create(kind, id, document);
    const request = { ResourceType: 'Endpoint', RequestType: 'Add', Settings: { EndpointId: member } };
    if (member !== undefined) await service.modify(value, JSON.stringify(request));
    return;
  }
  const network = await service.open('Network', member ?? '');
  await service.createEndpoint(network.value, id, document);
}

const usual = ['--row', 'attachTwice'];
const several = ['afterReboot', 'callerIdsNAT', 'deleteMissingEndpoint', 'attachTwice'].flatMap((id) => [
  '--row',
  id,
]);
const endpointHolds: HnsOptions = { switches: { deleteMissingEndpoint: hresultOf('ERROR_NOT_FOUND') } };
const ids = {
  network: '11111111-0000-4000-8000-000000000001',
  endpoint: '22222222-0000-4000-8000-000000000002',
  namespace: '33333333-0000-4000-8000-000000000003',
  loadBalancer: '44444444-0000-4000-8000-000000000004',
};
const networkOn = (Name: string, prefix: string, Type = 'Private'): Existing => [
  'Network',
  ids.network,
  { Name, Type, Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: prefix }] }] },
];
/** What an interrupted probe left. */
const leftovers: readonly Existing[] = [
  networkOn('win-hcn-probe-7', '198.19.7.0/24'),
  ['Endpoint', ids.endpoint, { Name: 'win-hcn-probe-8', HostComputeNetwork: ids.network }, ids.network],
  ['Namespace', ids.namespace, { Type: 'Host' }, ids.endpoint],
  [
    'LoadBalancer',
    ids.loadBalancer,
    {
      HostComputeEndpoints: [ids.endpoint],
      FrontendVIPs: ['10.96.0.1'],
      PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
    },
  ],
];
const refusing =
  (name: RegExp, symbol: Answer, ...ordinals: readonly number[]): NonNullable<Given['answer']> =>
  (call) =>
    name.test(call.name) && (ordinals.length === 0 || ordinals.includes(call.ordinal)) ? symbol : undefined;
const reportOf = (rows: unknown) => ({ files: { 'other.json': JSON.stringify({ rows }) } });
const facts = {
  windows: 'Windows Server 2022 Datacenter 20348.2402',
  files: { 'computenetwork.dll': '10.0.20348.1', 'vmcompute.dll': '10.0.20348.2' },
};
const withFacts = (printed: unknown): Given => ({
  environment: {
    powershell: () => ({ stdout: `${typeof printed === 'string' ? printed : JSON.stringify(printed)}\r\n` }),
  },
});
const adapter = ['--adapter', 'Ethernet'];
const compare = ['--compare', 'other.json'];
const away = refusing(/./, 'RPC_S_SERVER_UNAVAILABLE');

/** Windows lists the adapters once. */
function onlyOnce(): NonNullable<Given['adapters']> {
  let times = 0;
  return (usual) => {
    times += 1;
    return times === 1 ? usual : 'hangs';
  };
}

/** Command lines of probe and the nodes on which they run. */
const invocations: readonly (readonly [what: string, words: readonly string[], given?: Given])[] = [
  ['a report as text', several],
  ['claims that do not hold', several, { options: endpointHolds }],
  ['a report as JSON', [...several, '-o', 'json'], withFacts(facts)],
  [
    'a report as YAML',
    ['--row', 'deleteMissingEndpoint', '--row', 'callerIdsNAT', '-o', 'yaml'],
    { options: endpointHolds },
  ],
  ['a terminal of 70 columns', several, { options: endpointHolds, environment: { width: 70 } }],
  [
    'a terminal of 70 columns without colors',
    usual,
    { environment: { width: 70, environment: { NO_COLOR: '1' } } },
  ],
  [
    'a wide report on a terminal',
    [...usual, '-o', 'wide'],
    { environment: { width: 70, environment: { NO_COLOR: '1' } } },
  ],
  [
    'rows in another order, one twice',
    ['--row', 'attachTwice', '--row', 'openMissingNetwork', '--row', 'attachTwice'],
  ],
  [
    'progress on a terminal',
    ['--row', 'deleteMissingEndpoint', '--row', 'openMissingNetwork'],
    { environment: { stderrWidth: 60 } },
  ],
  ['the facts of the node', usual, withFacts(facts)],
  ['a node without files of HCN', [...usual, '-o', 'json'], withFacts({ windows: 'Windows', files: {} })],
  ['unexpected output of PowerShell', [...usual, '-o', 'json'], withFacts({ windows: 7 })],
  ['an HNS that does not return its version', usual, { answer: refusing(/HNSCall/, 'E_FAIL') }],
  ['an unknown row', ['--row', 'attachTwice', '--row', 'other']],

  ['--adapter without --yes', adapter],
  ['--restart-hns without --yes', ['--restart-hns']],
  ['both without --yes', [...adapter, '--restart-hns', '--nat']],
  ['--adapter without --yes, of an adapter that does not exist', ['--adapter', 'Wi-Fi']],
  ['--adapter without --yes, of an HNS that is away', adapter, { answer: away }],
  ['an adapter that does not exist', ['--adapter', 'Wi-Fi', '--yes']],
  [
    '--adapter',
    [
      ...adapter,
      '--yes',
      '--row',
      'callerIdsL2Bridge',
      '--row',
      'callerIds',
      '--row',
      'callerIdsNAT',
      '--row',
      'callsDuringRestart',
    ],
  ],
  ['--nat', ['--nat', '--row', 'callerIdsNAT', '--row', 'callerIdsOverlay']],
  [
    '--restart-hns',
    ['--restart-hns', '--yes', '--row', 'callsDuringRestart', '--row', 'callerIdsNAT'],
    withFacts(''),
  ],
  ['--restart-hns if PowerShell fails', ['--restart-hns', '--yes', '--row', 'callsDuringRestart']],

  [
    'no differences',
    [...usual, ...compare],
    {
      environment: reportOf([
        { id: 'attachTwice', observed: 'refused' },
        { id: 'other', observed: 'x' },
        { id: 'callerIds' },
      ]),
    },
  ],
  [
    'differences',
    [...several, ...compare],
    {
      environment: reportOf([
        { id: 'attachTwice', observed: 'accepted' },
        { id: 'callerIdsNAT', observed: 'honored' },
        { id: 'deleteMissingEndpoint', observed: 'ERROR_NOT_FOUND' },
      ]),
    },
  ],
  [
    'differences as JSON',
    ['--row', 'deleteMissingEndpoint', ...compare, '-o', 'json'],
    { environment: reportOf([{ id: 'deleteMissingEndpoint', observed: 'ERROR_NOT_FOUND' }]) },
  ],
  ['a report without rows', compare, { environment: { files: { 'other.json': '{"networks":[]}' } } }],
  ['a report whose rows have no ID', compare, { environment: reportOf([{ observed: 'refused' }]) }],
  ['a report with a number', compare, { environment: reportOf([{ id: 'attachTwice', observed: 1 }]) }],
  ['a report that is no JSON', compare, { environment: { files: { 'other.json': 'node1' } } }],
  ['a report that does not exist', compare],
  [
    'a report on stdin',
    [...usual, '--compare', '-'],
    { environment: { stdin: JSON.stringify({ rows: [{ id: 'attachTwice', observed: 'accepted' }] }) } },
  ],

  ['leftovers of an interrupted probe', usual, { existing: leftovers }],
  [
    'leftovers of an interrupted probe, of which two cannot be deleted',
    usual,
    { existing: leftovers, answer: refusing(/HcnDelete(Network|Endpoint)/, 'ERROR_BUSY', 1) },
  ],
  [
    'a leftover whose deletion hangs',
    usual,
    { existing: leftovers, answer: refusing(/HcnDeleteLoadBalancer/, 'hangs', 1) },
  ],
  [
    'leftovers that do not detach',
    usual,
    { existing: leftovers, answer: refusing(/HcnOpenNamespace/, 'ERROR_NOT_FOUND', 3) },
  ],
  ['--adapter without --yes, with leftovers', adapter, { existing: leftovers }],
  ['objects that cannot be deleted', usual, { answer: refusing(/HcnDelete/, 'ERROR_BUSY') }],
  ['objects that cannot be deleted at first', usual, { answer: refusing(/HcnDelete/, 'ERROR_BUSY', 1) }],
  [
    'an HNS that is busy at the end',
    usual,
    { answer: refusing(/HcnEnumerateEndpoints/, 'RPC_S_SERVER_UNAVAILABLE', 2) },
  ],
  [
    'an HNS that is away at the end',
    usual,
    { answer: refusing(/HcnEnumerateEndpoints/, 'RPC_S_SERVER_UNAVAILABLE', 2, 3) },
  ],

  ['a network on 198.19.0.0/16', usual, { existing: [networkOn('other', '198.19.7.0/24')] }],
  [
    'networks on both ranges',
    usual,
    {
      existing: [networkOn('other', '198.18.7.0/24')],
      adapters: (all) => all.map((one) => ({ ...one, addresses: [{ address: '100.64.0.1', length: 24 }] })),
    },
  ],
  [
    'an endpoint with a server in 198.19.0.0/16',
    usual,
    {
      existing: [
        networkOn('other', '10.0.0.0/8'),
        [
          'Endpoint',
          ids.endpoint,
          { Name: 'other', HostComputeNetwork: ids.network, Dns: { ServerList: ['198.19.0.53'] } },
          ids.network,
        ],
      ],
    },
  ],
  [
    'an adapter in 198.18.0.0/15',
    usual,
    { adapters: (all) => all.map((one) => ({ ...one, addresses: [{ address: '198.18.0.1', length: 24 }] })) },
  ],
  [
    'adapters in both ranges, one of a probe',
    usual,
    {
      adapters: (all) =>
        all.flatMap((one) => [
          { ...one, addresses: [{ address: '100.64.0.1', length: 24 }] },
          {
            ...one,
            alias: 'vEthernet (win-hcn-probe-7)',
            addresses: [{ address: '198.19.0.1', length: 24 }],
          },
        ]),
    },
  ],
  [
    'an adapter that Windows returns late after leftovers',
    [...adapter, '--yes', '--row', 'deleteMissingEndpoint'],
    { existing: leftovers, adapters: (all, time) => (time < 10_000 ? [] : all) },
  ],
  [
    'an adapter that Windows does not return after leftovers',
    [...adapter, '--yes', '--row', 'deleteMissingEndpoint'],
    { existing: leftovers, adapters: () => [] },
  ],

  ['a namespace whose creation hangs', usual, { answer: refusing(/HcnCreateNamespace/, 'hangs', 1) }],
  [
    'a network whose creation hangs',
    [...usual, '--row', 'callerIds'],
    { answer: refusing(/HcnCreateNetwork/, 'hangs', 1) },
  ],
  [
    'a network whose creation takes effect late',
    ['--row', 'networkListing'],
    { answer: refusing(/HcnCreateNetwork/, 'late', 1) },
  ],
  [
    'a namespace whose creation takes effect late',
    usual,
    { answer: refusing(/HcnCreateNamespace/, 'late', 1) },
  ],
  [
    'a load balancer whose creation takes effect late',
    ['--row', 'loadBalancerConflict'],
    { answer: refusing(/HcnCreateLoadBalancer/, 'late', 1) },
  ],
  [
    'a call that hangs',
    [...usual, '--row', 'callerIds'],
    { answer: refusing(/HcnModifyNamespace/, 'hangs', 1) },
  ],
  [
    'a call that hangs, on an HNS that does not respond any more',
    [...usual, '--row', 'callerIds'],
    {
      answer: (call) =>
        call.name === 'HcnModifyNamespace' || (call.name === 'HcnEnumerateNetworks' && call.ordinal > 1)
          ? 'hangs'
          : undefined,
    },
  ],
  [
    'a restart of HNS during an experiment',
    [...usual, '--row', 'callerIds'],
    { answer: refusing(/HcnCreateEndpoint/, 'RPC_S_CALL_FAILED', 1) },
  ],
  ['an HNS that is away', usual, { answer: away }],
  ['an HNS that is away, as JSON', [...usual, '-o', 'json'], { answer: away }],
  [
    'an HNS that is away from the first experiment on',
    [...usual, '--row', 'callerIds'],
    {
      answer: ({ name, ordinal }) =>
        name === 'HcnCreateNetwork' || ordinal > 3 ? 'RPC_S_SERVER_UNAVAILABLE' : undefined,
    },
  ],
  ['an HNS that hangs', usual, { answer: refusing(/./, 'hangs') }],
  ['a user who is no administrator', usual, { answer: refusing(/./, 'E_ACCESSDENIED') }],
  [
    'Ctrl+C before the first experiment',
    usual,
    { answer: ({ name }, interrupt) => void (name === 'HcnEnumerateNetworks' && interrupt()) },
  ],
  [
    'Ctrl+C during an experiment',
    [...usual, '--row', 'callerIds'],
    { answer: ({ name }, interrupt) => void (name === 'HcnModifyNamespace' && interrupt()) },
  ],
  [
    'Ctrl+C while an experiment waits',
    ['--row', 'networkListing', '--row', 'callerIds'],
    {
      options: { switches: { networkListing: 'late' } },
      answer: ({ name, ordinal }, interrupt) =>
        void (name === 'HcnEnumerateNetworks' && ordinal === 2 && interrupt()),
    },
  ],

  ['a log', usual, { logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log' }],
  [
    'a log that cannot be written',
    usual,
    { logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log', openLog: () => () => false },
  ],

  [
    'another process that fails',
    ['--row', 'callerIdsNamespace'],
    { environment: { runSelf: async () => ({ problem: 'cannot run win-hcn: ENOENT' }) } },
  ],
  [
    'another process that prints nothing',
    ['--row', 'callerIdsNamespace'],
    { environment: { runSelf: async () => ({ stdout: ' \n' }) } },
  ],
  [
    'another process that prints a text',
    ['--row', 'callerIdsNamespace'],
    { environment: { runSelf: async () => ({ stdout: 'usage\n' }) } },
  ],
  [
    'another process that prints a refusal',
    ['--row', 'callerIdsNamespace'],
    { environment: { runSelf: async () => ({ stdout: '0x80070005\n' }) } },
  ],
  ['another process', ['--open', `Network/${ids.network}`], { existing: [networkOn('other', '10.0.0.0/8')] }],
  ['another process for an absent object', ['--open', `LoadBalancer/${ids.network}`]],
  ['another process for another kind', ['--open', `SdnRoute/${ids.network}`]],
  ['unknown rows', ['--row', 'other', '--row', 'another']],
  [
    'another process for a namespace',
    ['--open', `Namespace/${ids.namespace}`],
    { existing: [['Namespace', ids.namespace, {}]] },
  ],
  [
    'a leftover that another program deletes',
    usual,
    { existing: leftovers, answer: refusing(/HcnDeleteEndpoint/, 'HCN_E_ENDPOINT_NOT_FOUND', 1) },
  ],
  ['a Windows that does not list adapters', usual, { adapters: () => 'hangs' }],
  [
    'a Windows that does not list adapters later',
    [...adapter, '--yes', '--row', 'adapterIndex'],
    { adapters: onlyOnce() },
  ],
];

test('win-hcn probe prints this, and calls', async () => {
  const texts: string[] = [];
  for (const [what, words, given] of invocations) texts.push(`# ${what}\n${await probe(words, given)}\n`);
  await expect(texts.join('\n')).toMatchFileSnapshot('command.txt');
});

test('probe opens objects in another process of win-hcn, for at most 30 s', async () => {
  const started: (readonly [args: readonly string[], seconds: number])[] = [];
  const runSelf = async (args: readonly string[], seconds: number): Promise<ScriptResult> => {
    started.push([args, seconds]);
    return { stdout: '0x00000000\n' };
  };
  await probe(['--row', 'callerIdsNamespace'], { environment: { runSelf } });
  const id = expect.stringMatching(/^Namespace\/77696e68-636e-4070-a072-6f6265[0-9a-f]{6}$/);
  expect(started).toEqual([[['probe', '--open', id], 30]]);
});
