import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HcnUnavailable } from '../../../src/hcn/errors.ts';
import type { HcnInterceptor } from '../../../src/hcn/library.ts';
import { isObject } from '../../../src/json/members.ts';
import { example } from '../example.ts';
import type { Node } from '../node.ts';
import { interceptedSystem, runProbe, startProbedNode } from './run-probe.ts';

const hostName = 'NODE-7';
let node: Node;
beforeEach(async () => {
  const adapters = [
    { name: 'Contoso LAN', managementIp: '10.7.0.4' },
    { name: 'E2', managementIp: '10.8.1.4' },
  ];
  node = await startProbedNode({ adapters });
  const l2bridge = example('l2bridge', { cniVersion: '1.1.0', name: 'n1', adapter: 'Contoso LAN' });
  for (const container of ['web', 'database']) await node.add(l2bridge, node.newPod(container));
});
afterEach(() => node.stop());

/** The names, IDs and addresses of the node, also of what was added during the run, without what the probe left. */
async function secrets(): Promise<readonly string[]> {
  const { networks, endpoints, namespaces, loadBalancers } = node.hns.dump();
  const listed = (await node.outside.loadIpHelper?.())?.readAdapters() ?? [];
  const ofAdapters = (await listed).flatMap(({ alias, mac = '', addresses, gateways }) => [
    alias,
    mac,
    ...addresses.map(({ address }) => address),
    ...gateways,
  ]);
  return [
    hostName,
    ...textsIn({ networks, endpoints, namespaces, loadBalancers }),
    ...ofAdapters,
    ...hostile,
  ].filter(
    (text) => text !== '' && !/^(?:win-hcn-probe-|77696e68-|198\.19\.\d+\.(?!4$)|192\.0\.2\.)/.test(text),
  );
}

/** Names, IDs and addresses in documents: every text that is no word of HNS. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return common.has(value) || /^[A-Za-z]+\d?[A-Za-z]*$/.test(value) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const { Name } = value;
  return [...(typeof Name === 'string' ? [Name] : []), ...Object.values(value).flatMap(textsIn)];
}

/** What the probe sends itself, and what every node has. */
const common = new Set(['0.0.0.0', '0.0.0.0/0', '00000000-0000-0000-0000-000000000000', '6', '80']);

/** What errors of HNS may say of a node, in forms that patterns miss. */
const hostile = [
  'late_n1_eth0',
  'web.contoso.local',
  'contoso',
  '::ffff:10.7.0.4',
  'fd00:1:2:3:4:5:6::',
  '00155D0A0B0C',
  '0015.5d0a.0b0c',
  'addr_10.1.2.3_x',
  '198.19.7.4',
  '100.127.3.4',
  'alice',
  '3f1c2b7a9d0e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c',
] as const;
const hostileText = `C:\\Users\\alice\\koffi.node: ${hostile.join(' ')} on ${hostName}`;

/** The secrets that a report has as texts of their own, or within others if they are longer than 2 characters. */
async function found(report: string): Promise<readonly string[]> {
  const lower = report.toLowerCase();
  const has = (secret: string) =>
    secret.length > 2 ? lower.includes(secret) : new RegExp(`(?<![a-z\\d])${secret}(?![a-z\\d])`).test(lower);
  return [...new Set(await secrets())].filter((secret) => has(secret.toLowerCase()));
}

const words = ['--nat', '--adapter', 'E2', '--yes'];

test('a report has no name, address or ID of the node: as JSON, YAML and text', async () => {
  expect(await secrets()).toEqual(
    expect.arrayContaining([hostName, 'n1', 'web_n1_eth0', '10.8.1.4', 'E2', 'Contoso LAN', '10.244.1.2']),
  );
  for (const format of ['json', 'wide', 'table', 'yaml']) {
    const { stdout } = await runProbe(node, [...words, '-o', format], { hostName });
    expect({ format, found: await found(stdout) }).toEqual({ format, found: [] });
    expect(stdout).toContain('not tried');
  }
});

/** Changes every fifth response to a call of an experiment. */
function everyFifth(change: (text: string | undefined) => object): HcnInterceptor {
  let calls = 0;
  let isProbing = false;
  return async (call, make) => {
    isProbing ||= /win-hcn-probe/.test(call.document ?? '');
    const response = await make();
    if (!isProbing || /Enumerate|HNSCall|Delete|Close/.test(call.name)) return response;
    calls += 1;
    const text = typeof response.value === 'string' ? response.value : undefined;
    return calls % 5 === 0 ? { ...response, ...change(text) } : response;
  };
}

/** A document with names and addresses of the node in every place. */
function strange(text: string): string {
  const value: unknown = JSON.parse(text);
  const [late, domain, word] = hostile;
  const Settings = {
    Action: word,
    Protocols: late,
    Direction: domain,
    NetworkAdapterName: 'E2',
    LocalPorts: late,
  };
  const Policies = ['ACL', 'VLAN', 'OutBoundNAT', word].map((Type) => ({ Type, Settings }));
  const members = {
    State: hostileText,
    Type: domain,
    [late]: 1,
    contoso: 198,
    PortMappings: [late],
    Policies,
  };
  return JSON.stringify(isObject(value) ? { ...value, ...members } : value);
}

const record = JSON.stringify({ Error: hostileText, [hostile[0]]: 1 });
const refused = 0x80004005;

describe('a report has none of what HNS returns of the node', () => {
  test.each<[string, string, HcnInterceptor]>([
    ['in error records', '"Error": "<text>"', everyFifth(() => ({ hresult: refused, errorRecord: record }))],
    [
      'in errors without JSON',
      '"returned": "<text>"',
      everyFifth(() => ({ hresult: refused, errorRecord: hostileText })),
    ],
    [
      'because the service fails',
      'HCN returned RPC_S_CALL_FAILED',
      everyFifth(() => ({ hresult: 0x800706be, errorRecord: record })),
    ],
    [
      'in texts, names of members, words and numbers',
      '"State": "<text>"',
      everyFifth((text) => (text === undefined ? {} : { value: strange(text) })),
    ],
  ])('%s', async (_, sign, intercept) => {
    let isAdded = false;
    const system = interceptedSystem(node, async (call, make) => {
      if (call.name === 'HcnCreateNetwork' && !isAdded) {
        isAdded = true;
        const config = example('nat', { cniVersion: '1.1.0', name: 'newcomer' });
        await node.add(config, node.newPod('latecomer'));
      }
      return intercept(call, make);
    });
    const { stdout } = await runProbe(node, [...words, '-o', 'json'], { system, hostName });
    expect(isAdded).toBe(true);
    expect(await found(stdout)).toEqual([]);
    expect(stdout).toContain(sign);
  });
});

test('the reason why HNS could not be probed has none either', async () => {
  const code = 0x80070005;
  node.hns.inject({ function: 'HcnOpenEndpoint', ordinal: 'every', effect: { hresult: code } });
  const { stdout } = await runProbe(node, [...words, '-o', 'json'], { hostName });
  expect(stdout).toContain('E_ACCESSDENIED');
  expect(await found(stdout)).toEqual([]);
});

test('nor has the reason why its libraries could not be loaded', async () => {
  const loadLibrary = () => Promise.reject(new HcnUnavailable(`cannot load ${hostileText}`, undefined));
  const system = { ...node.outside, loadLibrary };
  const { stdout } = await runProbe(node, [...words, '-o', 'json'], { system, hostName });
  expect(await found(stdout)).toEqual([]);
  expect(stdout).toContain('the libraries of HCN cannot be used on this node');
});
