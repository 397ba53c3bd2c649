import { describe, expect, test } from 'vitest';
import { createEndpoint, findUnattached, removeUnfinished } from '../../../src/commands/create-endpoint.ts';
import { defaultBehavior } from '../../../src/config/behavior.ts';
import type { Fault } from '../hcn/small-hcn.ts';
import { type SmallHostOptions, smallHost } from './small-host.ts';

const network = '22222222-2222-3333-4444-555555555555';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const earlier = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const name = 'c0ffee_cbr0_eth0';
const document = { Name: name, HostComputeNetwork: network, SchemaVersion: { Major: 2, Minor: 0 } };
const step = { do: 'create endpoint', network, id, document } as const;
const creation = `create Endpoint ${id}`;

const unattached = { Name: name, HostComputeNetwork: network };
const attached = { ...unattached, HostComputeNamespace: namespace };

/** Creates the endpoint on a network that exists. */
async function created(options: SmallHostOptions) {
  const small = smallHost({ networks: [{ ID: network, Name: 'cbr0' }], ...options });
  const { host, undo } = small;
  const creating = createEndpoint(step, { name: 'cbr0', behavior: defaultBehavior }, host, undo);
  const outcome = await creating.then(
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
    expect(outcome.undo.taken()).toEqual(['endpoint']);
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
      message: `this interface exists already: endpoint "${name}" is in namespace ${namespace}`,
      details: 'DEL it first',
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
      details: expect.stringContaining(`looking for endpoints with {"Name":"${name}"}`),
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

  test("is thrown where an endpoint of somebody else's that is called like ours has its address", async () => {
    const IpConfigurations = [{ IpAddress: '10.244.1.5', PrefixLength: 24 }];
    const ours = { ID: id.replace('070e', '070f'), Name: 'alive_cbr0_eth0', HostComputeNetwork: network };
    const holder = { ID: earlier, Name: 'decaf_cbr0_eth0', HostComputeNetwork: network, IpConfigurations };
    const small = smallHost({
      networks: [{ ID: network, Name: 'cbr0' }],
      endpoints: [ours, holder],
      ...failing(creation, 0x803b002f),
    });
    const wanted = { ...step, document: { ...document, IpConfigurations } };
    const creating = createEndpoint(
      wanted,
      { name: 'cbr0', behavior: defaultBehavior },
      small.host,
      small.undo,
    );
    await expect(creating).rejects.toMatchObject({ details: expect.stringContaining('decaf_cbr0_eth0') });
    expect(small.all('Endpoint').map(({ ID }) => ID)).toEqual([ours.ID, earlier]);
  });

  test('is repeated once the leftover that has its address is deleted', async () => {
    const IpConfigurations = [{ IpAddress: '10.244.1.5', PrefixLength: 24 }];
    const holder = { ID: earlier, Name: 'decaf_cbr0_eth0', HostComputeNetwork: network, IpConfigurations };
    const small = smallHost({
      networks: [{ ID: network, Name: 'cbr0' }],
      endpoints: [holder],
      ...failing(creation, 0x803b002f),
    });
    const wanted = { ...step, document: { ...document, IpConfigurations } };
    await createEndpoint(wanted, { name: 'cbr0', behavior: defaultBehavior }, small.host, small.undo);
    expect(small.all('Endpoint').map(({ ID }) => ID)).toEqual([id]);
    expect(small.notices).toEqual([expect.stringContaining('decaf_cbr0_eth0')]);
  });
});

test('a creation without an answer is thrown at once, and may still have to be undone', async () => {
  const { error, calls, undo } = await created({
    endpoints: [{ ID: id, ...unattached }],
    ...failing(creation, 'late'),
  });
  expect(error).toMatchObject({ name: 'HcnTimeout' });
  expect(calls).toEqual([`open Network ${network}`, creation]);
  expect(undo.taken()).toEqual(['endpoint']);
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
    expect(error).toMatchObject({ code: 101, details: 'DEL it first' });
    expect(ids).toEqual([earlier]);
  });

  test('it is error 7 where its name can be of another container too, and that one keeps its own', async () => {
    const ambiguous = 'a_cbr0_b_cbr0_eth0';
    const { host, undo, all } = smallHost({
      networks: [{ ID: network, Name: 'cbr0' }],
      chooseId,
      endpoints: [{ ID: earlier, ...unattached, Name: ambiguous }],
    });
    const wanted = { ...step, document: { ...document, Name: ambiguous } };
    const creating = createEndpoint(wanted, { name: 'cbr0', behavior: defaultBehavior }, host, undo);
    await expect(creating).rejects.toMatchObject({
      code: 7,
      message: `endpoint name "${ambiguous}" fits more than one container and interface, and HNS chose another id than requested`,
      details: 'name the network so that no container id and no interface has "_cbr0_" in it',
    });
    expect(all('Endpoint').map(({ ID }) => ID)).toEqual([earlier, chosen]);
    expect(undo.taken()).toEqual(['endpoint']);
  });

  test('error 101 says why it could not be deleted beside one at work', async () => {
    const { error, ids } = await created({
      chooseId,
      endpoints: [{ ID: earlier, ...attached }],
      ...failing(`delete Endpoint ${chosen}`, 0x800706ba),
    });
    expect(error).toMatchObject({
      code: 101,
      message: `this interface exists already: endpoint "${name}" is in namespace ${namespace}`,
      details: expect.stringMatching(
        new RegExp(`^DEL it first; deleting endpoint ${chosen}: HCN returned RPC_S_SERVER_UNAVAILABLE`),
      ),
    });
    expect(ids).toEqual([earlier, chosen]);
  });
});

describe('the endpoint of an interrupted ADD', () => {
  const key = { id, name };

  test('is found by its name where HNS chose its id', async () => {
    const { hcn } = smallHost({ endpoints: [{ ID: earlier, ...unattached }] });
    expect(await findUnattached(key, hcn)).toMatchObject({ ID: earlier });
  });

  test('is deleted, by the id it has', async () => {
    const { hcn, all } = smallHost({ endpoints: [{ ID: earlier, ...unattached }] });
    expect(await removeUnfinished(key, hcn)).toBe(true);
    expect(all('Endpoint')).toEqual([]);
  });

  test('is not there after a complete one', async () => {
    const { hcn } = smallHost();
    expect(await removeUnfinished(key, hcn)).toBe(false);
  });

  test('is not one at work, which is error 101', async () => {
    const { hcn } = smallHost({ endpoints: [{ ID: earlier, ...attached }] });
    await expect(removeUnfinished(key, hcn)).rejects.toMatchObject({ code: 101 });
  });
});
