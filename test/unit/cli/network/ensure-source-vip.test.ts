import { describe, expect, test } from 'vitest';
import { ensureSourceVip } from '../../../../src/cli/network/source-vip.ts';
import { code } from '../../../../src/cni/error.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { sourceVipId } from '../../../../src/model/identity.ts';
import { policy } from '../../../cluster/states.ts';
import { type SmallNodeOptions, smallNode } from '../../commands/small-node.ts';
import { type Fault, faultsOf } from '../../hcn/small-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ID = 'a7a2c4b0-0000-4000-8000-000000000000';
const network = (provider = '10.0.0.4'): ObservedNetwork => ({
  ID,
  Name: 'vxlan0',
  Type: 'Overlay',
  Policies: [policy('ProviderAddress', { ProviderAddress: provider })],
  SchemaVersion,
});
const vipId = sourceVipId('vxlan0');
const endpoint = (id: string, address: string | undefined, changes: object = {}): ObservedEndpoint => ({
  ID: id,
  Name: id === vipId ? 'vxlan0_source_vip' : id,
  HostComputeNetwork: ID,
  ...(address !== undefined && { IpConfigurations: [{ IpAddress: address }] }),
  SchemaVersion,
  ...changes,
});
const proxys = 'b7a2c4b0-0000-4000-8000-000000000000';
const reserved = '10.244.1.9';
const refused = 0x803b001e;

type Answer = readonly string[];

/** Runs it on a node with these endpoints. Each run of the IPAM plugin takes the next answer. */
async function ensure(
  given: string | undefined,
  {
    endpoints = [],
    answers,
    onNetwork = network(),
    ...options
  }: SmallNodeOptions & { readonly answers?: readonly Answer[]; readonly onNetwork?: ObservedNetwork } = {},
) {
  const runs: string[] = [];
  const coming = [...(answers ?? [])];
  const node = smallNode({
    networks: [onNetwork],
    endpoints,
    ...(answers !== undefined && {
      locateIpam: () => ({
        type: 'host-local',
        path: 'C:\\cni\\host-local.exe',
        environment: {},
        stdin: '{}',
        spawn: async (_path, environment) => {
          runs.push(String(environment['CNI_COMMAND']));
          const answer = coming.shift() ?? [];
          return {
            exitCode: 0,
            stdout: JSON.stringify({ cniVersion: '1.0.0', ips: answer.map((address) => ({ address })) }),
          };
        },
      }),
    }),
    ...options,
  });
  const result = await node.context.changes
    .transaction(() => ensureSourceVip(onNetwork, given, node.context))
    .catch((error: unknown) => error);
  const vip = node.all('Endpoint').find((one) => one.ID === vipId);
  return { result, runs, vip, calls: node.calls };
}

test('a source VIP that exists is kept', async () => {
  const endpoints = [endpoint(vipId, '10.244.1.9')];
  const { result, runs, calls } = await ensure(undefined, { endpoints, answers: [] });
  const changes = calls.filter((call) => call.startsWith('create'));
  expect({ result, runs, changes }).toEqual({ result: '10.244.1.9', runs: [], changes: [] });
});

test('an endpoint with the name of the source VIP on another network is not used', async () => {
  const endpoints = [
    { ...endpoint(proxys, '10.244.1.8', { HostComputeNetwork: proxys }), Name: 'vxlan0_source_vip' },
  ];
  expect((await ensure(reserved, { endpoints })).result).toBe(reserved);
});

describe('the endpoint with the reserved address', () => {
  test.each<[string, ObservedEndpoint, boolean]>([
    ['is the source VIP that kube-proxy created', endpoint(proxys, '10.244.1.9'), true],
    ['is none with another address', endpoint(proxys, '10.244.1.8'), false],
    ['is none on another network', endpoint(proxys, '10.244.1.9', { HostComputeNetwork: proxys }), false],
    ['is none of a pod', endpoint(proxys, '10.244.1.9', { HostComputeNamespace: proxys }), false],
    ['is none of another node', endpoint(proxys, '10.244.1.9', { Flags: 1 }), false],
  ])('%s', async (_, other, isFound) => {
    const { vip } = await ensure(reserved, { endpoints: [other] });
    expect(vip === undefined).toBe(isFound);
  });
});

describe('a source VIP that is missing', () => {
  test.each<[string, string | undefined, readonly Answer[], string, readonly string[]]>([
    ['has the reserved address', reserved, [], '10.244.1.9', []],
    ['gets an address of the IPAM plugin', undefined, [['10.244.1.7/24']], '10.244.1.7', ['ADD']],
    [
      'gets the IPv4 address',
      undefined,
      [['fd00::7/64', '10.244.1.7/24', '10.244.1.8/24']],
      '10.244.1.7',
      ['ADD'],
    ],
    ['gets an IPv6 address if there is no other', undefined, [['fd00::7/64']], 'fd00::7', ['ADD']],
  ])('%s', async (_, given, answers, address, expected) => {
    const { result, runs, vip } = await ensure(given, { answers });
    expect({ result, runs, vip }).toEqual({
      result: address,
      runs: expected,
      vip: {
        ID: vipId,
        Name: 'vxlan0_source_vip',
        HostComputeNetwork: ID,
        HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
        IpConfigurations: [{ IpAddress: address }],
        MacAddress: '00:15:5d:00:00:00',
        SchemaVersion,
      },
    });
  });

  test.each<[string, object, string]>([
    [
      'gets an address of HNS without an IPAM plugin',
      { IpConfigurations: [{ IpAddress: '10.244.1.5' }] },
      '10.244.1.5',
    ],
    ['has no address if HNS assigns none', {}, ''],
  ])('%s', async (_, adds, expected) => {
    expect((await ensure(undefined, { adds })).result).toBe(expected);
  });

  test.each<[string, string, string | undefined]>([
    ['the same address', '10.244.1.9', reserved],
    ['any address, if none is reserved', '10.244.1.5', undefined],
  ])('is the endpoint that another run created with %s', async (_, address, given) => {
    const faults = faultsOf({
      [`open Endpoint ${vipId}`]: [0x803b0002],
      'enumerate Endpoint {"Name":"vxlan0_source_vip"}': [{ answer: '[]' }],
      [`enumerate Endpoint {"VirtualNetwork":"${ID}"}`]: [{ answer: '[]' }],
      [`create Endpoint ${vipId}`]: [refused],
    });
    const { result } = await ensure(given, { endpoints: [endpoint(vipId, address)], ...faults });
    expect(result).toBe(address);
  });

  test.each<[string, readonly ObservedEndpoint[], Fault]>([
    ['HNS refuses it', [], refused],
    ['another run created it with another address', [endpoint(vipId, '10.244.1.10')], refused],
    ['another run created it without an address', [endpoint(vipId, undefined)], refused],
    ['HNS does not respond', [endpoint(vipId, '10.244.1.9')], 'late'],
  ])('fails if %s', async (_, endpoints, fault) => {
    const faults = faultsOf({
      [`open Endpoint ${vipId}`]: [0x803b0002],
      'enumerate Endpoint {"Name":"vxlan0_source_vip"}': [{ answer: '[]' }],
      [`enumerate Endpoint {"VirtualNetwork":"${ID}"}`]: [{ answer: '[]' }],
      [`create Endpoint ${vipId}`]: [fault, fault],
    });
    expect((await ensure(reserved, { endpoints, ...faults })).result).toBeInstanceOf(Error);
  });

  test('fails if no interface has the provider address', async () => {
    const { result } = await ensure(reserved, { onNetwork: network('10.0.0.77') });
    expect(result).toMatchObject({
      code: code.tryAgainLater,
      message:
        'no interface of the node has the provider address of network "vxlan0" (10.0.0.77), whose MAC address the source VIP needs',
      details: 'check Get-NetIPAddress',
    });
    const { Policies: _, ...bare } = network();
    expect((await ensure(reserved, { onNetwork: bare })).result).toMatchObject({
      message: expect.stringContaining('of network "vxlan0" (none), whose'),
    });
  });
});
