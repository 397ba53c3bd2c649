import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../../src/cni/request.ts';
import { createEndpoint } from '../../../src/commands/create-endpoint.ts';
import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId } from '../../../src/model/identity.ts';
import type { Assignment } from '../../../src/plan/endpoint-addresses.ts';
import { planEndpoint } from '../../../src/plan/endpoint-plan.ts';
import type { IdentifiedNetwork } from '../../../src/plan/network-plan.ts';
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
  const switchNotFound = 0x803b0004;

  test.each([
    ['a new network because of an existing endpoint for 2 s', { isNew: true }, 0x800700b7, 2000],
    ['a new network for a passing reason for 20 s', { isNew: true }, 0x80070022, 20_000],
    ['a new network for good', { isNew: true }, 0x803b001e, 0],
    ['an existing network for a passing reason', { isNew: false }, 0x80070022, 0],
    ['an existing network whose switch is missing for 20 s', { isNew: false }, switchNotFound, 20_000],
  ])('that is refused on %s is thrown with the refusal', async (_, changes, hresult, milliseconds) => {
    const fault = (call: string) => (call === creation ? hresult : undefined);
    const { error, context } = await created({ fault }, changes);
    expect(error).toMatchObject({ hresult });
    expect(context.now()).toBe(milliseconds);
  });
});

test('an endpoint that HNS shows without an address for 2 s is error 11', async () => {
  const { error, context } = await created({ adds: {} }, hnsAssigns);
  expect(error).toMatchObject({
    code: 11,
    message: `HNS shows no address for the new endpoint "${name}": retry`,
    details: "if the retry fails too, check the network's subnets with win-hcn show network cbr0",
  });
  expect(context.now()).toBe(2000);
});

describe('a refused creation', () => {
  test('is error 11 if HNS still has the address of a deleted leftover after 2 s', async () => {
    const fault = (call: string) => (call === creation ? 0x803b002f : undefined);
    const { error, context } = await created({ endpoints: [holder], fault });
    expect(error).toMatchObject({
      code: 11,
      message: `HNS has not released the leftover endpoint that "${name}" replaces: retry`,
      details: expect.stringContaining('HCN_E_ADDR_INVALID_OR_RESERVED'),
    });
    expect(context.now()).toBe(2000);
  });

  test('reports its reason if the deletion of the earlier endpoint fails because the service is down', async () => {
    const { error, calls } = await created({
      endpoints: [{ ID: id, ...unattached }],
      ...faultsOf({ [`delete Endpoint ${id}`]: [0x800706ba] }),
    });
    const { message, details } = error as { readonly message: string; readonly details: string };
    expect(error).toMatchObject({ code: 11 });
    expect([message, details].sort((one) => (one.includes('creating endpoint') ? -1 : 1))).toEqual([
      expect.stringContaining(`creating endpoint "${name}" as ${id}`),
      expect.stringMatching(/deleting endpoint/i),
    ]);
    expect(calls.filter((call) => call === creation)).toHaveLength(1);
  });
});

describe('if HNS generates the id of a new endpoint', () => {
  const chooseId = () => chosen;

  test('the unattached endpoint of an earlier ADD is deleted', async () => {
    const { error, ids } = await created({ chooseId, endpoints: [{ ID: earlier, ...unattached }] });
    expect({ error, ids }).toEqual({ error: undefined, ids: [chosen] });
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
    const { error, ids, rollBack } = await created({
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
    expect(await rollBack()).toEqual([]);
  });
});

describe('loopbackDSR', () => {
  test('is added after HNS assigned the address, under the id that HNS generated', async () => {
    const { calls } = await created({ chooseId: () => chosen }, hnsAssigns);
    expect(calls.filter((call) => call.startsWith('modify'))).toEqual([
      `modify Endpoint ${chosen} Add Policy`,
    ]);
  });
});
