import { describe, expect, test } from 'vitest';
import { endpointId } from '../../../src/model/identity.ts';
import { libcniFile } from '../../e2e/cli/libcni-files.ts';
import { type CliEnvironment, failure, success } from '../../e2e/cli/run-cli.ts';
import { type CliNodeOptions, cliNode } from './node-without-hns.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const guid = (number: number) => `${10000000 + number}-0000-4000-8000-000000000000`;
const network = { ID: guid(0), Name: 'cbr0', Type: 'L2Bridge', SchemaVersion };

/** An endpoint of win-hcn that is attached to its pod. */
const endpoint = (number: number, changes: object = {}) => ({
  ID: endpointId({ containerId: `pod${number}`, ifname: 'eth0', network: 'cbr0' }),
  Name: `pod${number}_cbr0_eth0`,
  HostComputeNetwork: network.ID,
  HostComputeNamespace: guid(number),
  IpConfigurations: [{ IpAddress: `10.244.1.${number}`, PrefixLength: 24 }],
  State: 3,
  SchemaVersion,
  ...changes,
});
const namespace = (number: number) => ({
  ID: guid(number),
  Type: 'Host',
  Resources: [{ Type: 'Container', Data: { Id: `pod${number}` } }],
  SchemaVersion,
});
const loadBalancer = (number: number, ...backends: readonly object[]) => ({
  ID: guid(number),
  HostComputeEndpoints: backends.map((one) => ('ID' in one ? one.ID : guid(99))),
  FrontendVIPs: [`10.96.0.${number}`],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion,
});
const folder = 'C:\\var\\lib\\cni\\results';
const files = Object.assign(
  {},
  ...['shop/web', 'shop/api', 'shops/db'].map((pod, index) =>
    libcniFile(folder, { containerId: `pod${index + 1}`, network: 'cbr0' }, pod),
  ),
);

const ls = (words: string, options: CliNodeOptions, environment: CliEnvironment = {}) =>
  cliNode({ networks: [network], ...options }).run(`ls ${words}`, {
    system: { windows: true },
    environment: { NO_COLOR: '1' },
    files,
    ...environment,
  });

/** A healthy pod, a pod without endpoint, a degraded one, one without a known name, and a leftover. */
const node = {
  endpoints: [endpoint(1), endpoint(3, { State: 5 }), endpoint(4), endpoint(5)],
  namespaces: [1, 2, 3, 4].map(namespace),
};
const titles = 'pod       interface  addresses      network  state            problem';
const api = 'shop/api  -          -              -        -                no endpoint: recreate it';
const web = 'shop/web  eth0       10.244.1.1/24  cbr0     AttachedSharing  -';
const degraded = 'shops/db  eth0       10.244.1.3/24  cbr0     Degraded         state Degraded';

describe('ls pods', () => {
  test('has a row for each pod and interface, sorted by name, and for a running pod without endpoint', async () => {
    const unnamed = 'pod4      eth0       10.244.1.4/24  cbr0     AttachedSharing  -';
    expect(await ls('pods', node)).toEqual(success(titles, api, web, degraded, unnamed));
  });

  test('looks twice for the endpoint of a pod, which may have started after the first look', async () => {
    const looked = cliNode({ networks: [network], ...node });
    await looked.run('ls pods');
    expect(looked.calls.filter((call) => call.startsWith('enumerate Endpoint'))).toHaveLength(2);
  });

  test('of a namespace leaves out pods with an unknown name', async () => {
    expect(await ls('pods -n shop', node)).toEqual({
      ...success(...[titles, api, web].map((line) => line.trimEnd())),
      stderr: '1 pod with unknown name and namespace hidden\n',
    });
  });

  test('with a problem are the only rows with --problems', async () => {
    const { stdout, exitCode } = await ls('pods --problems', node);
    expect({ exitCode, pods: stdout.split('\n').map((line) => line.split(' ')[0]) }).toEqual({
      exitCode: 1,
      pods: ['pod', 'shop/api', 'shops/db', ''],
    });
  });

  test('as JSON', async () => {
    expect(JSON.parse((await ls('pods -n shop -o json', node)).stdout)).toEqual({
      version: 1,
      pods: [
        { pod: 'shop/api', container: 'pod2', addresses: [], problem: 'no endpoint: recreate it' },
        {
          pod: 'shop/web',
          container: 'pod1',
          interface: 'eth0',
          addresses: ['10.244.1.1/24'],
          network: 'cbr0',
          state: 'AttachedSharing',
          endpoint: endpoint(1).ID,
        },
      ],
    });
  });

  test.each([
    ['pods', ['pod', 'addresses', 'network', 'state']],
    ['endpoints', ['endpoint', 'pod', 'addresses', 'state']],
  ])('%s show the addresses and states of 200 pods at 80 columns', async (kind, columns) => {
    const numbers = Array.from({ length: 200 }, (_, index) => index + 10);
    const many = {
      endpoints: numbers.map((one) => endpoint(one)),
      namespaces: numbers.map(namespace),
    };
    const names = numbers.map((one) =>
      libcniFile(folder, { containerId: `pod${one}` }, `kube-system/coredns-5d78c9869d-${one}`),
    );
    const { stdout } = await ls(kind, many, { width: 80, files: Object.assign({}, ...names) });
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual(columns);
    expect(stdout.match(/kube.* 10\.244\.1\.\d+\/24 .* AttachedSharing$/gm)).toHaveLength(200);
  });
});

test.each([
  ['pods', 'No problems in 1 pod.'],
  ['endpoints -n shop', 'No problems in 1 endpoint.'],
  ['services', 'No problems in 1 service.'],
  ['namespaces', 'No problems in 1 namespace.'],
  ['leftovers', 'No leftovers.'],
])('ls %s --problems names how many it checked', async (words, sentence) => {
  const remote = { ...endpoint(2), Flags: 1 };
  const healthy = {
    endpoints: [endpoint(1), remote],
    namespaces: [namespace(1)],
    loadBalancers: [loadBalancer(8, endpoint(1))],
  };
  const { exitCode, stdout } = await ls(`${words} --problems`, healthy);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${sentence}\n` });
});

describe('ls --problems finds', () => {
  const ids = async (kind: string, options: CliNodeOptions) => {
    const printed = await ls(`${kind} --problems -o json`, options);
    const rows: readonly { readonly id: string }[] = JSON.parse(printed.stdout)[kind];
    return { exitCode: printed.exitCode, ids: rows.map(({ id }) => id) };
  };
  const lost = endpoint(5);
  const unhealthy = endpoint(3, { Health: { Data: { LastErrorCode: 0x803b0012 } } });
  const objects = {
    endpoints: [
      endpoint(1),
      lost,
      unhealthy,
      endpoint(2, { HostComputeNetwork: guid(77) }),
      endpoint(4, { State: 4 }),
    ],
    namespaces: [1, 2, 3, 4, 6].map(namespace),
    loadBalancers: [
      loadBalancer(7, endpoint(1)),
      loadBalancer(8, endpoint(1), {}),
      loadBalancer(9, unhealthy),
    ],
  };

  test.each([
    ['endpoints', [5, 3, 2, 4].map((one) => endpoint(one).ID)],
    ['leftovers', [lost.ID]],
    ['namespaces', [guid(6)]],
    ['services', [guid(8), guid(9)]],
  ])('%s', async (kind, expected) => {
    expect(await ids(kind, objects)).toEqual({ exitCode: 1, ids: expected });
  });

  test('networks that HNS has not finished', async () => {
    const overlay = { ...network, ID: guid(5), Type: 'Overlay' };
    expect(await ids('networks', { networks: [network, overlay] })).toEqual({ exitCode: 1, ids: [guid(5)] });
  });
});

test('ls without a kind and with a namespace lists pods and the other endpoints of that namespace', async () => {
  const gone = { endpoints: [endpoint(1), endpoint(2)], namespaces: [namespace(1)] };
  const { stdout } = await ls('-n shop', gone);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ['pod', 'interface'],
    ['shop/web', 'eth0'],
    [''],
    ['endpoint', 'pod'],
    [endpoint(2).ID.slice(0, 8), 'shop/api'],
    [''],
  ]);
});

test('ls services has no namespaces', async () => {
  expect(await ls('services -n shop', {})).toEqual(
    failure(
      2,
      'win-hcn: --namespace applies to pods, endpoints, leftovers',
      "Run 'win-hcn ls --help' for usage.",
    ),
  );
});
