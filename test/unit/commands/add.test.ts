import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import { add } from '../../../src/commands/add.ts';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import { endpointId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import { type Fault, faultsOf } from '../hcn/small-hcn.ts';
import { ipamPlugin, type SmallNodeOptions, smallNode } from './small-node.ts';

const config = readNetworkConfig(example('nat', { subnets: [{ subnet: '172.28.0.0/20' }] }));
const network = resolveNetwork(config, undefined);
const namespaceId = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const request = {
  command: 'ADD',
  containerId: 'c0ffee',
  ifname: 'eth0',
  netns: namespaceId,
  namespaceId,
} as const;
const id = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'nat' });
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const assigned = { IpConfigurations: [{ IpAddress: '172.28.0.2', PrefixLength: 20 }] };
const attachedMeanwhile = { ...assigned, HostComputeNamespace: namespaceId };
const attaching = `modify Namespace ${namespaceId} Add ${id}`;

/** Runs ADD on an existing network. */
async function added(options: SmallNodeOptions, wanted = config) {
  const { context, all } = smallNode({
    networks: [network],
    namespaces: [{ ID: namespaceId, Type: 'Host' }],
    adds: assigned,
    ...options,
  });
  const outcome = await add(request, wanted, context, ({ ips }) => ips).then(
    (ips) => ({ ips, error: undefined }),
    (error: unknown) => ({ ips: undefined, error }),
  );
  const endpoints = all('Endpoint').map(({ ID, HostComputeNamespace }) => [ID, HostComputeNamespace]);
  return { ...outcome, endpoints };
}

test('ADD deletes an unattached endpoint of a replaced plugin', async () => {
  const leftover = { ID: chosen, Name: 'c0ffee_nat', HostComputeNetwork: network.ID };
  const outcome = await added({ endpoints: [leftover] }, { ...config, behavior: dropInBehavior });
  expect(outcome).toMatchObject({ error: undefined, endpoints: [[id, namespaceId]] });
});

describe('ADD is refused', () => {
  const previous = (ifname: string, sandbox: string) => ({
    ...config,
    prevResult: {
      interfaces: [
        { name: 'host', mac: '' },
        { name: ifname, sandbox },
      ],
      ips: [],
      routes: [],
      dns: {},
    },
  });

  test.each([namespaceId, namespaceId.toUpperCase()])(
    'with code 101 if an earlier plugin of the chain has created the interface in the namespace (%s)',
    async (sandbox) => {
      const { error, endpoints } = await added({}, previous('eth0', sandbox));
      expect(error).toMatchObject({
        code: 101,
        message: `the container already has this interface: prevResult has "eth0" in namespace ${namespaceId}`,
        details: 'run DEL first',
      });
      expect(endpoints).toEqual([]);
    },
  );
});

describe('a refused attach', () => {
  test.each([0x803b002b, 0x803b0014])('is success if HNS attached the endpoint: %i', async (hresult) => {
    const { error, endpoints } = await added({
      ...faultsOf({ [attaching]: [hresult] }),
      adds: attachedMeanwhile,
    });
    expect({ error, endpoints }).toEqual({ error: undefined, endpoints: [[id, namespaceId]] });
  });

  test('is reported and rolled back if HNS attached the endpoint nevertheless', async () => {
    const { error, endpoints } = await added({
      ...faultsOf({ [attaching]: [0x803b002e] }),
      adds: attachedMeanwhile,
    });
    expect(error).toMatchObject({ code: 100, message: expect.stringContaining('0x803b002e') });
    expect(endpoints).toEqual([]);
  });

  test('is error 11 if the endpoint no longer exists: HNS restarted and lost it', async () => {
    const query = `query Endpoint ${id}`;
    const { error } = await added(faultsOf({ [attaching]: [0x803b0002], [query]: [undefined, 0x803b0002] }));
    expect(error).toMatchObject({
      code: 11,
      message: `endpoint ${id} disappeared right after its creation: retry`,
      details: expect.stringContaining('HCN_E_ENDPOINT_NOT_FOUND'),
    });
  });
});

describe('addresses of a refused ADD', () => {
  const leftover = { ID: id, Name: 'c0ffee_nat_eth0', HostComputeNetwork: network.ID };
  const withIpam = { ...config, ipam: { type: 'host-local' } };

  /** An IPAM plugin that takes its time, and whose runs fail as given. Records begin and end of each run. */
  const slowIpam = (...failures: readonly boolean[]) => {
    const runs: string[] = [];
    let count = 0;
    const { plugin } = ipamPlugin();
    const spawn: IpamPlugin['spawn'] = async (_path, environment) => {
      const command = environment['CNI_COMMAND'];
      runs.push(`${command} begins`);
      const fails = failures[count++] === true;
      await new Promise((resolve) => setTimeout(resolve, 5));
      runs.push(`${command} ${fails ? 'fails' : 'ends'}`);
      return fails
        ? { exitCode: 1, stdout: '{"code":11,"msg":"busy"}' }
        : { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"address":"172.28.0.2/20"}]}' };
    };
    return { runs, locateIpam: () => ({ ...plugin, spawn }) };
  };

  test('are not assigned again if their release fails', async () => {
    const { runs, locateIpam } = slowIpam(true, true);
    const { error } = await added({ endpoints: [leftover], locateIpam }, withIpam);
    expect(error).toMatchObject({ code: 11, message: 'busy' });
    expect(runs.filter((run) => run === 'ADD begins')).toHaveLength(1);
  });

  test('are released once after they were assigned again', async () => {
    const { runs, locateIpam } = slowIpam(true);
    await added({ endpoints: [leftover], locateIpam, ...faultsOf({ [attaching]: [0x803b002e] }) }, withIpam);
    const ends = runs.filter((run) => !run.endsWith('begins'));
    expect(ends).toEqual(['ADD fails', 'DEL ends', 'ADD ends', 'DEL ends']);
  });

  test.each([
    ['asked for the endpoint', `open Endpoint ${id}`],
    ['made to delete the endpoint', `delete Endpoint ${id}`],
  ])('stay until the next DEL if HCN cannot be %s that may have them', async (_, failing) => {
    const { runs, locateIpam } = slowIpam(true);
    const fault = (call: string) => (call === failing ? 0x800706ba : undefined);
    const { error } = await added({ endpoints: [leftover], locateIpam, fault }, withIpam);
    expect(error).toMatchObject({
      code: 11,
      message: 'busy',
      details: expect.stringContaining('RPC_S_SERVER_UNAVAILABLE'),
    });
    expect(runs).toEqual(['ADD begins', 'ADD fails']);
  });
});

describe('an ADD whose result cannot be returned', () => {
  const withIpam = { ...config, ipam: { type: 'host-local' } };
  const query = `query Endpoint ${id}`;
  const endpoint = {
    ID: id,
    Name: 'c0ffee_nat_eth0',
    HostComputeNetwork: network.ID,
    MacAddress: '00-15-5D-00-00-01',
  };
  const shown = (changes: object) => ({ answer: JSON.stringify({ ...endpoint, ...assigned, ...changes }) });

  /** Runs ADD, whose `respond` fails. `later` is the fault of the last query of the endpoint, and `leases` are those found in turn. */
  async function untold(later?: Fault, leases: readonly (string | undefined)[] = []) {
    const { plugin, runs } = ipamPlugin();
    let looks = 0;
    const findLease = () => {
      const found = leases[Math.min(looks++, leases.length - 1)];
      return found === undefined ? undefined : { id: found, seconds: 0 };
    };
    const spawn: IpamPlugin['spawn'] = async (...given) => {
      await plugin.spawn(...given);
      return { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"address":"172.28.0.2/20"}]}' };
    };
    const node = smallNode({
      networks: [network],
      namespaces: [{ ID: namespaceId, Type: 'Host' }],
      adds: { ...assigned, MacAddress: '00-15-5D-00-00-01' },
      ...faultsOf({ [query]: [undefined, later] }),
      locateIpam: () => ({ ...plugin, spawn, ...(leases.length > 0 && { findLease }) }),
    });
    const error: unknown = await add(request, withIpam, node.context, () => {
      throw new CniError(code.ioFailure, 'stdout is closed');
    }).catch((thrown: unknown) => thrown);
    return { error, runs, deleted: node.calls.includes(`delete Endpoint ${id}`) };
  }

  test.each<[string, Fault | undefined]>([
    ['HCN returns its endpoint', undefined],
    ['its endpoint is in its namespace by now', shown({ HostComputeNamespace: namespaceId })],
  ])('is rolled back if %s', async (_, later) => {
    expect(await untold(later)).toMatchObject({
      error: { message: 'stdout is closed' },
      runs: ['ADD', 'DEL'],
      deleted: true,
    });
  });

  test.each<[string, Fault]>([
    ['MAC address', shown({ MacAddress: '00-15-5D-00-00-02' })],
    ['address', shown({ IpConfigurations: [{ IpAddress: '172.28.0.3', PrefixLength: 20 }] })],
    ['handle, because it was deleted and created again', 0x803b0031],
    ['creation to come, because it was deleted', 0x803b0002],
  ])('keeps all if the endpoint is that of a later ADD: it has another %s', async (_, later) => {
    expect(await untold(later)).toMatchObject({
      error: {
        message: 'stdout is closed',
        details: `rollback of the endpoint failed: endpoint ${id} is gone or may belong to another request; the addresses stay assigned until the next DEL`,
      },
      runs: ['ADD'],
      deleted: false,
    });
  });

  test('deletes its endpoint and releases no address whose lease another request has', async () => {
    expect(await untold(undefined, ['a', 'b'])).toMatchObject({
      error: { code: 11, message: '172.28.0.2 was released by another process during this ADD: retry' },
      runs: ['ADD'],
      deleted: true,
    });
  });
});
