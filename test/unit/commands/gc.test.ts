import { describe, expect, test } from 'vitest';
import { toCniError } from '../../../src/cni/error.ts';
import { gc } from '../../../src/commands/gc.ts';
import { type Behavior, defaultBehavior } from '../../../src/config/behavior.ts';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import { ipamPlugin, type SmallNodeOptions, smallNode } from './small-node.ts';

const network = '22222222-2222-3333-4444-555555555555';
const ofPod = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const ofNode = '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a';
const first = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const second = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const alive = { containerId: 'alive', ifname: 'eth0', network: 'cbr0' };
const cbr0 = { name: 'cbr0', createNetwork: 'ifMissing', behavior: defaultBehavior } as const;
const gone = { ...alive, containerId: 'gone' };

const holder = (containerID: string) => ({ containerID, ifname: 'eth0' });

const on = (ID: string, Name: string, HostComputeNamespace: string) => ({
  ID,
  Name,
  HostComputeNetwork: network,
  HostComputeNamespace,
});

/** Runs GC with one valid attachment. Returns the error, the changing calls and the remaining endpoints. */
async function collected(options: SmallNodeOptions) {
  const { context, calls, all } = smallNode({
    networks: [{ ID: network, Name: 'cbr0' }],
    namespaces: [
      { ID: ofPod, Type: 'Host' },
      { ID: ofNode, Type: 'HostDefault', NamespaceId: 1 },
    ],
    ...options,
  });
  const error: unknown = await gc(cbr0, [alive], context).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const changes = calls.filter((call) => /^(modify|delete) /.test(call));
  return { error, changes, remaining: all('Endpoint').map(({ ID }) => ID) };
}

describe('GC', () => {
  test('counts only the endpoints after the one for which HCN does not respond', async () => {
    const third = '3f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
    const names = [first, second, third].map((id, index) => on(id, `gone_cbr0_eth${index}`, ''));
    const fault = (call: string) => (call === `query Endpoint ${second}` ? 'late' : undefined);
    expect(await collected({ endpoints: names, fault })).toMatchObject({
      error: { details: expect.stringMatching(/1 more endpoints were not checked$/) },
      remaining: [second, third],
    });
  });

  test('reports every failure, that of the IPAM plugin included', async () => {
    const endpoints = [on(first, 'gone_cbr0_eth0', ''), on(second, 'gone_cbr0_eth1', '')];
    const fault = (call: string) => (call.startsWith('delete') ? 0x803b001d : undefined);
    const { plugin } = ipamPlugin();
    const spawn = async () => ({ exitCode: 1, stdout: '{"code":11,"msg":"the store is locked"}' });
    const { error } = await collected({ endpoints, fault, locateIpam: () => ({ ...plugin, spawn }) });
    expect(error).toMatchObject({
      code: 100,
      message: expect.stringContaining(`deleting endpoint ${first}: HCN returned`),
      details: expect.stringMatching(
        new RegExp(`^deleting endpoint ${second}: HCN returned .*; the store is locked$`),
      ),
    });
  });

  test.each([
    ['its endpoint remains', 'delete', 0x803b001d, [holder('alive'), holder('gone')]],
    ['HCN does not respond', 'delete', 'late', [holder('alive'), holder('gone')]],
    ['its endpoint was deleted', 'modify', 0x803b001d, [holder('alive')]],
    ['HCN does not return its endpoint', `query Endpoint ${endpointId(gone)}`, 0x80004005, undefined],
    ['HCN does not list the endpoints', 'enumerate Endpoint', 0x800706ba, undefined],
  ] as const)(
    'has the IPAM plugin release the address of an attachment only if that is right: %s',
    async (_, failing, fault, valid) => {
      const { plugin, inputs } = ipamPlugin(
        JSON.stringify({ 'cni.dev/valid-attachments': [holder('alive')] }),
      );
      const endpoints = [on(endpointId(gone), 'gone_cbr0_eth0', '')];
      await collected({
        endpoints,
        fault: (call) => (call.startsWith(failing) ? fault : undefined),
        locateIpam: () => plugin,
      });
      expect(inputs.map((input) => JSON.parse(input)['cni.dev/valid-attachments'])).toEqual(
        valid === undefined ? [] : [valid],
      );
    },
  );

  test.each<[string, ReturnType<typeof on>, Behavior['endpointName'], string]>([
    ['that cannot be read', on(first, 'gone_cbr0_eth0', ''), 'with interface', `query Endpoint ${first}`],
    [
      'whose interface is unknown',
      on(endpointId({ ...gone, ifname: 'net1' }), 'gone_cbr0', ''),
      'without interface',
      'delete Endpoint',
    ],
  ])('releases no address while an endpoint remains %s', async (_, endpoint, endpointName, failing) => {
    const { plugin, runs } = ipamPlugin();
    const { context } = smallNode({
      networks: [{ ID: network, Name: 'cbr0' }],
      endpoints: [endpoint],
      fault: (call) => (call.startsWith(failing) ? 0x803b001d : undefined),
      locateIpam: () => plugin,
    });
    const behavior = { ...defaultBehavior, endpointName };
    const error = await gc({ ...cbr0, behavior }, [alive], context).then(() => undefined, toCniError);
    expect(`${error?.message}; ${error?.details}`).toContain('an endpoint of an unknown container remains');
    expect(runs).toEqual([]);
  });

  test.each([
    ['finds a network that HNS does not list yet', 'never', 1],
    ['has tried the id of its own network already', 'ifMissing', 1],
  ] as const)('%s', async (_, createNetwork, opens) => {
    const own = networkId('cbr0');
    const endpoints = [{ ...on(endpointId(gone), 'gone_cbr0_eth0', ''), HostComputeNetwork: own }];
    const { context, calls, all } = smallNode({
      networks: createNetwork === 'never' ? [{ ID: own, Name: 'cbr0' }] : [],
      endpoints,
      fault: (call) => (call.startsWith('enumerate Network') ? { answer: '[]' } : undefined),
    });
    await gc({ ...cbr0, createNetwork }, [alive], context);
    expect(calls.filter((call) => call === `open Network ${own}`)).toHaveLength(opens);
    expect(all('Endpoint')).toHaveLength(createNetwork === 'never' ? 0 : 1);
  });
});
