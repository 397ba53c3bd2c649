import { describe, expect, test } from 'vitest';
import { createEndpoint, type EndpointRequest } from '../../../src/commands/create-endpoint.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId } from '../../../src/model/identity.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
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

/** Creates the attachment's endpoint on an existing network, where HNS assigns 10.244.1.5 if nothing else does. */
async function created(options: SmallNodeOptions, changes: Partial<EndpointRequest> = {}) {
  const small = smallNode({ networks: [cbr0], adds: { IpConfigurations }, ...options });
  const request = { attachment, config, network: cbr0, adapters: [], assignment: assigned, ...changes };
  const outcome = await createEndpoint(request, small.context).then(
    (endpoint) => ({ endpoint, error: undefined }),
    (error: unknown) => ({ endpoint: undefined, error }),
  );
  return { ...small, ...outcome, ids: small.all('Endpoint').map(({ ID }) => ID) };
}

const failing = (call: string, ...faults: readonly Fault[]) => ({
  fault: (made: string, nth: number) => (made === call ? faults[nth - 1] : undefined),
});

describe('a new endpoint', () => {
  test('is returned as HNS made it, without a search for others', async () => {
    const outcome = await created({});
    expect(outcome).toMatchObject({ endpoint: { ID: id, Name: name }, ids: [id] });
    expect(outcome.calls).toEqual([`open Network ${network}`, creation, `query Endpoint ${id}`]);
    expect(await outcome.rollBack()).toEqual([`delete Endpoint ${id}`]);
  });

  test('has the id that HNS gave it', async () => {
    expect(await created({ chooseId: () => chosen })).toMatchObject({
      endpoint: { ID: chosen },
      ids: [chosen],
    });
  });

  test('that is gone at once is error 100, which says so', async () => {
    expect(await created(failing(`query Endpoint ${id}`, 0x803b0002))).toMatchObject({
      error: {
        code: 100,
        message: `endpoint ${id} disappeared right after its creation: retry`,
      },
    });
  });
});

describe('a refused creation', () => {
  test('is repeated once the endpoint of an interrupted ADD is deleted', async () => {
    const { endpoint, calls, ids } = await created({ endpoints: [{ ID: id, ...unattached }] });
    expect(endpoint).toMatchObject({ ID: id });
    expect(ids).toEqual([id]);
    expect(calls.filter((call) => call === creation)).toHaveLength(2);
  });

  test('is error 101 where the attachment has an endpoint at work, which stays', async () => {
    const { error, ids } = await created({ endpoints: [{ ID: id, ...attached }] });
    expect(error).toMatchObject({
      code: 101,
      message: `the container already has this interface: endpoint "${name}" is in namespace ${namespace}`,
      details: 'run DEL first',
    });
    expect(ids).toEqual([id]);
  });

  test('is thrown, and not repeated, where nothing is in its way', async () => {
    const { error, calls } = await created(failing(creation, 0x803b001e, 0x803b001e));
    expect(error).toMatchObject({ hresult: 0x803b001e });
    expect(calls.filter((call) => call === creation)).toHaveLength(1);
  });

  test('keeps its reason where the search for what is in its way fails', async () => {
    const { error } = await created({
      fault: (call) => {
        if (call === creation) return 0x803b001e;
        return call.startsWith('enumerate') ? 0x80004005 : undefined;
      },
    });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining('HCN_E_INVALID_IP'),
      details: expect.stringContaining(`listing endpoints with {"Name":"${name}"}`),
    });
  });

  test('for a taken address keeps its reason where the search for its holder fails', async () => {
    const { error } = await created({
      fault: (call) => {
        if (call === creation) return 0x803b002f;
        return call.includes('VirtualNetwork') ? 0x80004005 : undefined;
      },
    });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining('0x803b002f'),
      details: expect.stringContaining('VirtualNetwork'),
    });
  });

  test('is thrown where an endpoint that only has a name of our form holds its address', async () => {
    const ours = {
      ID: endpointId({ ...attachment, containerId: 'alive' }),
      Name: 'alive_cbr0_eth0',
      HostComputeNetwork: network,
    };
    const holder = { ID: earlier, Name: 'decaf_cbr0_eth0', HostComputeNetwork: network, IpConfigurations };
    const { error, ids } = await created({ endpoints: [ours, holder], ...failing(creation, 0x803b002f) });
    expect(error).toMatchObject({ details: expect.stringContaining('decaf_cbr0_eth0') });
    expect(ids).toEqual([ours.ID, earlier]);
  });

  test('is repeated after the leftover that holds its address is deleted', async () => {
    const holder = { ID: earlier, Name: 'decaf_cbr0_eth0', HostComputeNetwork: network, IpConfigurations };
    const { ids, notices } = await created({ endpoints: [holder], ...failing(creation, 0x803b002f) });
    expect(ids).toEqual([id]);
    expect(notices).toEqual([expect.stringContaining('decaf_cbr0_eth0')]);
  });
});

test('a creation without an answer is thrown at once, and may still have to be undone', async () => {
  const { error, calls, rollBack } = await created({
    endpoints: [{ ID: id, ...unattached }],
    ...failing(creation, 'late'),
  });
  expect(error).toMatchObject({ name: 'HcnTimeout' });
  expect(calls).toEqual([`open Network ${network}`, creation]);
  expect(await rollBack()).toEqual([`delete Endpoint ${id}`]);
});

describe('where HNS chose the id of a new endpoint', () => {
  const chooseId = () => chosen;

  test('those of the same name that are in no namespace are deleted', async () => {
    const { endpoint, ids } = await created({ chooseId, endpoints: [{ ID: earlier, ...unattached }] });
    expect(endpoint).toMatchObject({ ID: chosen });
    expect(ids).toEqual([chosen]);
  });

  test('it is deleted, with error 101, beside one of the same name at work', async () => {
    const { error, ids } = await created({ chooseId, endpoints: [{ ID: earlier, ...attached }] });
    expect(error).toMatchObject({ code: 101, details: 'run DEL first' });
    expect(ids).toEqual([earlier]);
  });

  test('it is error 7 where its name can be of another container too, and that one keeps its own', async () => {
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

  test('error 101 says why it could not be deleted beside one at work', async () => {
    const { error, ids } = await created({
      chooseId,
      endpoints: [{ ID: earlier, ...attached }],
      ...failing(`delete Endpoint ${chosen}`, 0x800706ba),
    });
    expect(error).toMatchObject({
      code: 101,
      message: `the container already has this interface: endpoint "${name}" is in namespace ${namespace}`,
      details: expect.stringMatching(
        new RegExp(`^run DEL first; deleting endpoint ${chosen}: HCN returned RPC_S_SERVER_UNAVAILABLE`),
      ),
    });
    expect(ids).toEqual([earlier, chosen]);
  });
});

describe('an endpoint as HNS created it', () => {
  test('and as it was sent needs nothing more', async () => {
    expect(await created({})).toMatchObject({ notices: [] });
  });

  test('that a pod cannot use is error 100, with the first reason as its message and the others in its details', async () => {
    const { error } = await created({ adds: { IpConfigurations: [], State: 5 } }, hnsAssigns);
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringMatching(/^HNS reports the endpoint as degraded\. /),
      details: 'HNS created the endpoint without an address: add a subnet to the network',
    });
  });

  test('that differs in something harmless is used, with a notice', async () => {
    const { error, notices } = await created({ adds: { Policies: [] } });
    expect(error).toBeUndefined();
    expect(notices).toContain('HNS returned fewer OutBoundNAT policies for the endpoint than were sent');
  });
});

describe('loopbackDSR', () => {
  test('is added after HNS has assigned the address, by the id that HNS gave the endpoint', async () => {
    const { calls } = await created({ chooseId: () => chosen }, hnsAssigns);
    expect(calls.filter((call) => call.startsWith('modify'))).toEqual([
      `modify Endpoint ${chosen} Add Policy`,
    ]);
  });

  test('is not added later if the address was known before', async () => {
    const { calls } = await created({});
    expect(calls.filter((call) => call.startsWith('modify'))).toEqual([]);
  });
});
