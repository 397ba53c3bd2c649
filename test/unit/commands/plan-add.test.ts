import { describe, expect, test } from 'vitest';
import { planAdd } from '../../../src/commands/plan-add.ts';
import { dropInBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { endpointId, hostEndpointId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallHostOptions, smallHost } from './small-host.ts';

const own = readNetworkConfig(example('nat'));
const dropIn = { ...own, behavior: dropInBehavior };
const network = { ...resolveNetwork(own, undefined), Type: 'NAT' };
const id = endpointId({ containerId: 'c0ffee', ifname: 'eth0', network: 'nat' });
const ofHns = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const request = { containerId: 'c0ffee', ifname: 'eth0' };
const assignment = { ips: [], routes: [], dns: {} };

/** The steps of an ADD on a node with these objects, each as what it does and to which object. */
async function steps(options: SmallHostOptions, config = own) {
  const planned = await planAdd(request, config, smallHost(options).host, assignment);
  return planned.map((step) => [step.do, 'id' in step ? step.id : step.endpoint]);
}

const create = ['create endpoint', id];
const unattached = (ID: string, Name: string) => ({ ID, Name, HostComputeNetwork: network.ID });

describe('the plan of an ADD', () => {
  test('on a new network creates that first', async () => {
    expect(await steps({})).toEqual([['create network', network.ID], create]);
  });

  test('on a new network adds the policies that follow its creation', async () => {
    const { host } = smallHost();
    const config = readNetworkConfig(example('overlay'));
    const planned = await planAdd(request, config, host, assignment);
    expect(planned.slice(0, 2)).toMatchObject([
      { do: 'create network', document: { Name: 'overlay' } },
      { do: 'add network policies', policies: [{ Type: 'HostRoute', Settings: {} }] },
    ]);
  });

  test('on a network that exists creates only the endpoint', async () => {
    expect(await steps({ networks: [network] })).toEqual([create]);
  });

  test.each([
    ['with the derived id', id, 'nat_of_another'],
    ['whose id HNS chose', ofHns, 'c0ffee_nat_eth0'],
  ])('deletes what an interrupted one left, %s', async (_, left, name) => {
    const options = { networks: [network], endpoints: [unattached(left, name)] };
    expect(await steps(options)).toEqual([['delete unfinished endpoint', left], create]);
  });

  test('deletes what the plugin before left unfinished, once', async () => {
    const options = { networks: [network], endpoints: [unattached(ofHns, 'c0ffee_nat')] };
    expect(await steps(options, dropIn)).toEqual([['delete unfinished endpoint', ofHns], create]);
  });

  test('deletes what the plugin before and an interrupted ADD left', async () => {
    const endpoints = [unattached(ofHns, 'c0ffee_nat'), unattached(id, 'c0ffee_nat')];
    expect(await steps({ networks: [network], endpoints }, dropIn)).toEqual([
      ['delete unfinished endpoint', ofHns],
      ['delete unfinished endpoint', id],
      create,
    ]);
  });

  test('leaves to configurations in our dialect what another plugin created', async () => {
    const options = { networks: [network], endpoints: [unattached(ofHns, 'c0ffee_nat')] };
    expect(await steps(options)).toEqual([create]);
  });

  test.each([
    ['has', id, 'c0ffee_nat_eth0', own],
    ['has from the plugin before, beside what an interrupted one left,', ofHns, 'c0ffee_nat', dropIn],
  ])('is refused where the attachment %s an endpoint at work', async (_, there, name, config) => {
    const attached = { ...unattached(there, name), HostComputeNamespace: namespace };
    const endpoints = there === id ? [attached] : [attached, unattached(id, name)];
    await expect(steps({ networks: [network], endpoints }, config)).rejects.toMatchObject({ code: 101 });
  });
});

describe('the plan of an ADD with an endpoint of the node', () => {
  const config = readNetworkConfig(example('l2bridge-host-endpoint'));
  const cbr0 = { ...resolveNetwork(config, undefined, hostAdapters), Type: 'L2Bridge' };
  const node = { ID: '9d1c7b35-2c39-4a55-8a3e-6f1e2d0c4b5a', Type: 'HostDefault', NamespaceId: 1 };
  const hostEndpoint = hostEndpointId('cbr0');
  const pod = endpointId({ ...request, network: 'cbr0' });
  const at = (address: string, ID = hostEndpoint, HostComputeNamespace = '') => ({
    ID,
    Name: 'cbr0_ep',
    HostComputeNetwork: cbr0.ID,
    HostComputeNamespace,
    IpConfigurations: [{ IpAddress: address, PrefixLength: 24 }],
  });

  test.each([
    [
      'creates and attaches it where there is none',
      [],
      [
        ['create host endpoint', hostEndpoint],
        ['attach host endpoint', hostEndpoint],
      ],
    ],
    [
      'attaches the one that an interrupted request left, by the id it has',
      [at('10.244.2.2', ofHns)],
      [['attach host endpoint', ofHns]],
    ],
    [
      'replaces one with another address',
      [at('10.244.2.9')],
      [
        ['delete endpoint', hostEndpoint],
        ['create host endpoint', hostEndpoint],
        ['attach host endpoint', hostEndpoint],
      ],
    ],
    ['leaves the one at work', [at('10.244.2.2', hostEndpoint, node.ID)], []],
  ])('%s', async (_, endpoints, expected) => {
    const { host } = smallHost({ networks: [cbr0], namespaces: [node], endpoints });
    const ips = [{ address: '10.244.2.5/24' }];
    const planned = await planAdd(request, config, host, { ...assignment, ips });
    const shown = planned.map((step) => [step.do, 'id' in step ? step.id : step.endpoint]);
    expect(shown).toEqual([...expected, ['create endpoint', pod]]);
  });
});
