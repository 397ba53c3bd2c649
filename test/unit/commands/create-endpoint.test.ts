import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../../src/cni/request.ts';
import { createEndpoint } from '../../../src/commands/create-endpoint.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId } from '../../../src/model/identity.ts';
import type { Assignment } from '../../../src/plan/endpoint-addresses.ts';
import { planEndpoint } from '../../../src/plan/endpoint-plan.ts';
import type { IdentifiedNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { faultsOf } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const network = '22222222-2222-3333-4444-555555555555';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };
const id = endpointId(attachment);
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const earlier = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const name = 'c0ffee_cbr0_eth0';
const config = {
  ...readNetworkConfig(example('l2bridge')),
  name: 'cbr0',
  acls: [],
  defaultAction: undefined,
  loopbackDSR: true,
};
const cbr0 = {
  ID: network,
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.1.0/24' }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const assigned = { ips: [{ address: '10.244.1.5/24' }], routes: [], dns: {} };
const hnsAssigns = { assignment: undefined };
const IpConfigurations = [{ IpAddress: '10.244.1.5', PrefixLength: 24 }];
const creation = `create Endpoint ${id}`;

const unattached = { Name: name, HostComputeNetwork: network };
const attached = { ...unattached, HostComputeNamespace: namespace };
const holder = { ID: earlier, Name: 'decaf_cbr0_eth0', HostComputeNetwork: network, IpConfigurations };

interface Planned {
  readonly config: NetworkConfig;
  readonly attachment: Attachment;
  readonly network: IdentifiedNetwork;
  readonly isNew: boolean;
  readonly assignment: Assignment;
}

/** Creates the attachment's endpoint on an existing network. HNS assigns 10.244.1.5 by default. */
async function created(options: SmallNodeOptions, changes: Partial<Planned> = {}) {
  const small = smallNode({ networks: [cbr0], adds: { IpConfigurations }, ...options });
  const given = { config, attachment, network: cbr0, isNew: false, assignment: assigned, ...changes };
  const plan = planEndpoint(given.config, given.attachment, given.network, [], given.assignment);
  const outcome = await createEndpoint(plan, given.isNew, small.context).then(
    (endpoint) => ({ endpoint, error: undefined }),
    (error: unknown) => ({ endpoint: undefined, error }),
  );
  return { ...small, ...outcome, ids: small.all('Endpoint').map(({ ID }) => ID) };
}

describe('a new endpoint', () => {
  test('is returned as HNS created it, without a search for others', async () => {
    const outcome = await created({});
    expect(outcome).toMatchObject({ endpoint: { ID: id, Name: name }, ids: [id] });
    expect(outcome.calls).toEqual([`open Network ${network}`, creation, `query Endpoint ${id}`]);
    expect(await outcome.rollBack()).toEqual([`delete Endpoint ${id}`]);
  });

  test('that disappears at once is error 11 after 2 s', async () => {
    const fault = (call: string) => (call === `query Endpoint ${id}` ? 0x803b0002 : undefined);
    const { error, context } = await created({ fault });
    expect(error).toMatchObject({
      code: 11,
      message: `endpoint ${id} disappeared right after its creation: retry`,
    });
    expect(context.now()).toBe(2000);
  });

  test('whose address appears within 2 s is returned with it', async () => {
    const late = { answer: JSON.stringify({ ID: id, Name: name, HostComputeNetwork: network }) };
    const { endpoint, context } = await created(faultsOf({ [`query Endpoint ${id}`]: [late, late] }));
    expect(endpoint).toMatchObject({ ID: id, IpConfigurations });
    expect(context.now()).toBe(500);
  });

  test('that Windows gave a link-local address at first is returned with its own', async () => {
    const linkLocal = { IpConfigurations: [{ IpAddress: '169.254.7.3', PrefixLength: 16 }] };
    const early = {
      answer: JSON.stringify({ ID: id, Name: name, HostComputeNetwork: network, ...linkLocal }),
    };
    const { endpoint } = await created(faultsOf({ [`query Endpoint ${id}`]: [early] }), hnsAssigns);
    expect(endpoint).toMatchObject({ IpConfigurations });
  });

  test('whose ACLs appear within 2 s is used', async () => {
    const early = {
      answer: JSON.stringify({ ID: id, Name: name, HostComputeNetwork: network, IpConfigurations }),
    };
    const acls = [{ action: 'Block', direction: 'Out', remotePorts: [25] }];
    const { acls: read } = readNetworkConfig(example('l2bridge', { acls, defaultAction: 'Allow' }));
    const changes = { config: { ...config, acls: read } };
    const { endpoint, error } = await created(faultsOf({ [`query Endpoint ${id}`]: [early] }), changes);
    expect({ error, id: endpoint?.ID }).toEqual({ error: undefined, id });
  });

  test('without an address is error 11 after 2 s, and is deleted', async () => {
    const { error, context, rollBack } = await created({ adds: { IpConfigurations: [] } }, hnsAssigns);
    expect(error).toMatchObject({
      code: 11,
      message: `HNS shows no address for the new endpoint "${name}": retry`,
      details: "if the retry fails too, check the network's subnets with win-hcn show network cbr0",
    });
    expect(context.now()).toBe(2000);
    expect(await rollBack()).toEqual([`delete Endpoint ${id}`]);
  });

  const switchNotFound = 0x803b0004;

  test('that the switch of a new network refuses at first is created within 20 s', async () => {
    const refusals = faultsOf({ [creation]: [switchNotFound, switchNotFound, switchNotFound] });
    const { endpoint, context } = await created(refusals, { isNew: true });
    expect(endpoint).toMatchObject({ ID: id });
    expect(context.now()).toBe(750);
  });

  test.each([
    ['a new network for 20 s', { isNew: true }, switchNotFound, 20_000],
    ['a new network because of a policy', { isNew: true }, 0x803b000d, 0],
    ['a new network because of an existing endpoint for 2 s', { isNew: true }, 0x800700b7, 2000],
    ['an existing network whose switch is missing for 20 s', { isNew: false }, switchNotFound, 20_000],
    ['an existing network', { isNew: false }, 0x80004005, 0],
  ])('that is refused on %s is thrown with the refusal', async (_, changes, hresult, milliseconds) => {
    const fault = (call: string) => (call === creation ? hresult : undefined);
    const { error, context } = await created({ fault }, changes);
    expect(error).toMatchObject({ hresult });
    expect(context.now()).toBe(milliseconds);
  });
});

describe('a refused creation', () => {
  test('is retried after the endpoint of an interrupted ADD is deleted', async () => {
    const { endpoint, calls, ids } = await created({ endpoints: [{ ID: id, ...unattached }] });
    expect(endpoint).toMatchObject({ ID: id });
    expect(ids).toEqual([id]);
    expect(calls.filter((call) => call === creation)).toHaveLength(2);
  });

  const existing = 0x80071392;

  test('is retried for 2 s while HNS still has the deleted endpoint', async () => {
    const endpoints = [{ ID: id, ...unattached }];
    const lingering = faultsOf({ [creation]: [existing, existing, existing] });
    const { endpoint, context } = await created({ endpoints, ...lingering });
    expect(endpoint).toMatchObject({ ID: id });
    expect(context.now()).toBe(500);
  });

  test('is error 11 if HNS still has the deleted endpoint after 2 s', async () => {
    const fault = (call: string) => (call === creation ? existing : undefined);
    const { error, context } = await created({ endpoints: [{ ID: id, ...unattached }], fault });
    expect(error).toMatchObject({
      code: 11,
      message: `HNS has not released the leftover endpoint that "${name}" replaces: retry`,
      details: expect.stringContaining('ERROR_OBJECT_ALREADY_EXISTS'),
    });
    expect(context.now()).toBe(2000);
  });

  test('is error 101 if a container has the endpoint, although it names no namespace', async () => {
    const { error, ids } = await created({ endpoints: [{ ID: id, ...unattached, State: 3 }] });
    expect({ error, ids }).toMatchObject({ error: { code: 101 }, ids: [id] });
  });

  test('is error 11 if HNS still has the address of a deleted leftover after 2 s', async () => {
    const fault = (call: string) => (call === creation ? 0x803b002f : undefined);
    const { error, context } = await created({ endpoints: [holder], fault });
    expect(error).toMatchObject({ code: 11 });
    expect(context.now()).toBe(2000);
  });

  test('is error 101 if the attachment has an attached endpoint, which is kept', async () => {
    const { error, ids } = await created({ endpoints: [{ ID: id, ...attached }] });
    expect(error).toMatchObject({
      code: 101,
      message: `the container already has this interface: endpoint "${name}" is in namespace ${namespace}`,
      details: 'run DEL first',
    });
    expect(ids).toEqual([id]);
  });

  test.each([
    ['is refused', 0x803b001d, 100],
    ['fails because the service is down', 0x800706ba, 11],
  ])('reports its reason if the deletion of the earlier endpoint %s', async (_, hresult, code) => {
    const { error, calls } = await created({
      endpoints: [{ ID: id, ...unattached }],
      ...faultsOf({ [`delete Endpoint ${id}`]: [hresult] }),
    });
    const { message, details } = error as { readonly message: string; readonly details: string };
    expect(error).toMatchObject({ code });
    expect([message, details].sort((one) => (one.includes('creating endpoint') ? -1 : 1))).toEqual([
      expect.stringContaining(`creating endpoint "${name}" as ${id}`),
      expect.stringMatching(/deleting endpoint/i),
    ]);
    expect(calls.filter((call) => call === creation)).toHaveLength(1);
  });

  test('is thrown without a retry if nothing conflicts', async () => {
    const { error, calls } = await created(faultsOf({ [creation]: [0x803b001e, 0x803b001e] }));
    expect(error).toMatchObject({ hresult: 0x803b001e });
    expect(calls.filter((call) => call === creation)).toHaveLength(1);
  });

  test.each([
    [
      'a conflicting endpoint',
      0x803b001e,
      'enumerate',
      'HCN_E_INVALID_IP',
      `listing endpoints with {"Name":"${name}"}`,
    ],
    ['the holder of an address in use', 0x803b002f, 'VirtualNetwork', '0x803b002f', 'VirtualNetwork'],
  ])('reports its reason even if the search for %s fails', async (_, hresult, search, message, details) => {
    const { error } = await created({
      fault: (call) => {
        if (call === creation) return hresult;
        return call.includes(search) ? 0x80004005 : undefined;
      },
    });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining(message),
      details: expect.stringContaining(details),
    });
  });

  test('is thrown if the address is held by an endpoint with a generated id, though HNS honors requested ids', async () => {
    const ours = {
      ID: endpointId({ ...attachment, containerId: 'alive' }),
      Name: 'alive_cbr0_eth0',
      HostComputeNetwork: network,
    };
    const { error, ids } = await created({
      endpoints: [ours, holder],
      ...faultsOf({ [creation]: [0x803b002f] }),
    });
    expect(error).toMatchObject({ details: expect.stringContaining('decaf_cbr0_eth0') });
    expect(ids).toEqual([ours.ID, earlier]);
  });

  test('is retried after the leftover that holds its address is deleted', async () => {
    const { ids, notices } = await created({
      endpoints: [holder],
      ...faultsOf({ [creation]: [0x803b002f] }),
    });
    expect(ids).toEqual([id]);
    expect(notices).toEqual([expect.stringContaining('decaf_cbr0_eth0')]);
  });
});

test('a creation that times out is thrown at once and rolled back', async () => {
  const { error, calls, rollBack } = await created({
    endpoints: [{ ID: id, ...unattached }],
    ...faultsOf({ [creation]: ['late'] }),
  });
  expect(error).toMatchObject({ name: 'HcnTimeout' });
  expect(calls).toEqual([`open Network ${network}`, creation]);
  expect(await rollBack()).toEqual([`delete Endpoint ${id}`]);
});

describe('if HNS generates the id of a new endpoint', () => {
  const chooseId = () => chosen;

  test('unattached endpoints of the same name are deleted', async () => {
    const { endpoint, ids } = await created({ chooseId, endpoints: [{ ID: earlier, ...unattached }] });
    expect(endpoint).toMatchObject({ ID: chosen });
    expect(ids).toEqual([chosen]);
  });

  test('it is deleted with error 101 if one of the same name is attached', async () => {
    const { error, ids } = await created({ chooseId, endpoints: [{ ID: earlier, ...attached }] });
    expect(error).toMatchObject({ code: 101, details: 'run DEL first' });
    expect(ids).toEqual([earlier]);
  });

  test('error 101 names the first of several that are attached', async () => {
    const other = '3e314d9f-9d81-4f85-8c3f-8a0c4f9d5c43';
    const endpoints = [
      { ID: earlier, ...attached },
      { ID: other, ...attached, HostComputeNamespace: other },
    ];
    const { error, ids } = await created({ chooseId, endpoints });
    expect(error).toMatchObject({ code: 101, message: expect.stringContaining(`in namespace ${namespace}`) });
    expect(ids).toEqual([earlier, other]);
  });

  test("a name that also fits another container is error 7, and that container's endpoint is kept", async () => {
    const ambiguous = 'a_cbr0_b_cbr0_eth0';
    const endpoints = [{ ID: earlier, ...unattached, Name: ambiguous }];
    const container = { ...attachment, containerId: 'a_cbr0_b' };
    const { error, ids, rollBack } = await created({ chooseId, endpoints }, { attachment: container });
    expect(error).toMatchObject({
      code: 7,
      message: `endpoint name "${ambiguous}" matches more than one container and interface, and HNS chose another ID than requested`,
      details: 'rename the network, so that no container ID and no interface contains "_cbr0_"',
    });
    expect(ids).toEqual([earlier, chosen]);
    expect(await rollBack()).toEqual([`delete Endpoint ${chosen}`]);
  });

  test('error 101 has the reason in its details if the new endpoint cannot be deleted', async () => {
    const { error, ids } = await created({
      chooseId,
      endpoints: [{ ID: earlier, ...attached }],
      ...faultsOf({ [`delete Endpoint ${chosen}`]: [0x800706ba] }),
    });
    expect(error).toMatchObject({
      code: 101,
      message: `the container already has this interface: endpoint "${name}" is in namespace ${namespace}`,
      details: expect.stringMatching(
        new RegExp(
          `^run DEL first; HNS is not running. .* Deleting endpoint ${chosen} failed with RPC_S_SERVER_UNAVAILABLE`,
        ),
      ),
    });
    expect(ids).toEqual([earlier, chosen]);
  });
});

describe('an endpoint as HNS created it', () => {
  test('that equals the sent document has no notices', async () => {
    expect(await created({})).toMatchObject({ notices: [] });
  });

  test('that is unusable is error 100, with the first reason as message and the others as details', async () => {
    const { error } = await created({ adds: { IpConfigurations, State: 5, MacAddress: 'x' } }, hnsAssigns);
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringMatching(/^HNS reports the endpoint as degraded\. /),
      details: expect.stringMatching(/^HNS assigned MAC address "x" to the endpoint, which no pod can use/),
    });
  });

  test('that is unusable for several reasons has all of them', async () => {
    const { error } = await created({
      adds: { IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }], State: 5, MacAddress: 'x' },
    });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^HNS reports the endpoint as degraded\. /),
      details: expect.stringMatching(
        /^HNS assigned MAC address "x" to the endpoint, .* hns; HNS assigned 10\.244\.1\.9 to the endpoint, expected 10\.244\.1\.5: /,
      ),
    });
  });

  const remoteSubnet = (DestinationPrefix: string) => ({
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix,
      IsolationId: 4096,
      ProviderAddress: '10.0.0.5',
      DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
    },
  });
  const translated = (exceptions: readonly string[], ...prefixes: readonly string[]) =>
    created(
      {},
      {
        network: { ...cbr0, Policies: prefixes.map(remoteSubnet) },
        config: { ...config, loopbackDSR: false, outboundNat: { exceptions, destinations: [] } },
      },
    );

  test.each([
    ['in one subnet', ['10.244.1.0/24'], ['10.244.2.0/24'], '10.244.2.0/24'],
    [
      'in several',
      ['10.244.2.0/24'],
      ['10.244.2.0/24', '10.244.3.0/24', '10.9.0.0/16', 'fd00:2::/64'],
      '10.244.3.0/24 and 1 more',
    ],
  ])(
    'whose outbound NAT hides its address from pods of other nodes %s has a notice',
    async (_, exceptions, prefixes, named) => {
      expect((await translated(exceptions, ...prefixes)).notices).toEqual([
        `the cluster's network is not excepted from outbound NAT: pods of other nodes (${named}) see the address of this node`,
      ]);
    },
  );

  test('whose exceptions contain the pod subnets of other nodes has no notices', async () => {
    expect(await translated(['10.244.0.0/16'], '10.244.2.0/24')).toMatchObject({ notices: [] });
  });

  test('with a harmless difference is used, with a notice', async () => {
    const { error, notices } = await created({ adds: { Policies: [] } });
    expect(error).toBeUndefined();
    expect(notices).toContain('HNS returned fewer OutBoundNAT policies for the endpoint than were sent');
  });
});

describe('loopbackDSR', () => {
  test('is added after HNS assigned the address, under the id that HNS generated', async () => {
    const { calls } = await created({ chooseId: () => chosen }, hnsAssigns);
    expect(calls.filter((call) => call.startsWith('modify'))).toEqual([
      `modify Endpoint ${chosen} Add Policy`,
    ]);
  });

  test('is not added later if the address was known', async () => {
    const { calls } = await created({});
    expect(calls.filter((call) => call.startsWith('modify'))).toEqual([]);
  });
});
