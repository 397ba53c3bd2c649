import { describe, expect, test } from 'vitest';
import { ensureNetwork, findOrPlanNetwork } from '../../../src/commands/network.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { networkId } from '../../../src/model/identity.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const id = networkId('l2bridge');
const create = `create Network ${id}`;
const listing = 'enumerate Network {}';
const adapterNotFound = 0x803b0006;
const notFound = 0x80070490;

/** A network of another program on adapter "Ethernet". */
function other(Type: string, name = 'other', adapter: string | undefined = 'Ethernet') {
  const policy = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: adapter } };
  return {
    ID: networkId(name),
    Name: name,
    Type,
    Policies: adapter === '' ? [] : [policy],
    Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.0.0/16' }] }],
  };
}

/** Creates the network of the example l2bridge. Returns the network or the error, the notices, the tries and the duration. */
async function createBeside(others: SmallNodeOptions['networks'], options: SmallNodeOptions = {}) {
  const small = smallNode({ networks: others ?? [], adds: { ManagementIP: '10.0.0.4' }, ...options });
  const { context } = small;
  const outcome = await findOrPlanNetwork(readNetworkConfig(example('l2bridge')), context)
    .then((plan) => ensureNetwork(plan, context))
    .then(
      ({ network }) => ({ id: network.ID, error: undefined }),
      (error: unknown) => ({ id: undefined, error }),
    );
  const tries = small.calls.filter((call) => call === create).length;
  return { ...small, ...outcome, tries, milliseconds: context.now() };
}

/** Fails each creation. */
const refusing = (fault: Fault) => ({ fault: (call: string) => (call === create ? fault : undefined) });

describe('a network of another type on the adapter', () => {
  test.each([adapterNotFound, notFound])(
    'is named in the error if HNS refuses the adapter (%d), without a wait or a second try',
    async (hresult) => {
      const { error, tries, milliseconds } = await createBeside([other('Overlay')], refusing(hresult));
      expect(error).toMatchObject({
        code: 100,
        message: expect.stringMatching(
          /^adapter "Ethernet" is in use by Overlay network "other", so HNS refused L2Bridge network "l2bridge": HCN returned /,
        ),
        details: expect.stringContaining('win-hcn network delete other'),
      });
      expect({ tries, milliseconds }).toEqual({ tries: 1, milliseconds: 0 });
    },
  );

  test('does not prevent an HNS that accepts both from creating the network', async () => {
    const { id: created, notices } = await createBeside([other('Overlay')]);
    expect(created).toBe(id);
    expect(notices[0]).toBe(
      'adapter "Ethernet" is in use by Overlay network "other": HNS may refuse to put L2Bridge network "l2bridge" on it',
    );
  });

  test('does not prevent the use of the network that a concurrent request created on such an HNS', async () => {
    const own = { ...other('L2Bridge', 'l2bridge'), ManagementIP: '10.0.0.4' };
    const subnet = { IpAddressPrefix: '10.244.1.0/24' };
    const networks = [other('Overlay'), { ...own, Ipams: [{ Subnets: [subnet] }] }];
    const isCreated = (calls: readonly string[]) => calls.includes(create);
    const small: { calls: readonly string[] } = { calls: [] };
    const fault = (call: string): Fault | undefined => {
      if (call === create) return adapterNotFound;
      const isOfOwn = call.includes(id) || call.includes('"Name"');
      if (!isOfOwn || isCreated(small.calls)) return undefined;
      return call.startsWith('enumerate') ? { answer: '[]' } : 0x803b0001;
    };
    const node = smallNode({ networks, fault });
    small.calls = node.calls;
    const plan = await findOrPlanNetwork(readNetworkConfig(example('l2bridge')), node.context);
    expect(plan.found).toBeUndefined();
    expect(await ensureNetwork(plan, node.context)).toMatchObject({
      network: { ID: id },
      created: undefined,
    });
  });

  test.each([
    ['is Transparent', other('Transparent')],
    ['is Transparent, in another case,', { ...other('transparent') }],
  ])('prevents the creation if it %s', async (_, network) => {
    const { error, tries } = await createBeside([network]);
    expect(error).toMatchObject({
      code: 7,
      message: expect.stringMatching(
        /^adapter "Ethernet" is in use by [Tt]ransparent network "other": HNS does/,
      ),
    });
    expect(tries).toBe(0);
  });
});

describe('the networks that HNS can combine', () => {
  test.each([
    ['of the same type', other('l2bridge')],
    ['on another adapter', other('Transparent', 'other', 'Ethernet 2')],
    ['without an adapter', other('NAT', 'other', '')],
  ])('are those %s', async (_, network) => {
    expect((await createBeside([network])).id).toBe(id);
  });

  test('do not include one with the same name, which a concurrent request creates', async () => {
    const own = { ...other('Transparent', 'L2Bridge'), ID: networkId('any') };
    const isByName = (call: string) => call.startsWith('enumerate Network {"');
    const fault = (call: string) => (isByName(call) ? { answer: '[]' } : undefined);
    expect((await createBeside([own], { fault })).id).toBe(id);
  });

  test('are named in the details if HNS refuses the adapter after all', async () => {
    const { error, tries } = await createBeside(
      [other('L2Bridge'), other('L2Tunnel', 'unbound', '')],
      refusing(adapterNotFound),
    );
    expect(error).toMatchObject({
      details: expect.stringMatching(
        /^also on adapter "Ethernet": L2Bridge network "other"; on an unknown adapter: L2Tunnel network "unbound"; network adapters: /,
      ),
    });
    expect(tries).toBe(2);
  });

  test('have overlapping subnets only with a notice', async () => {
    expect((await createBeside([other('L2Bridge')])).notices[0]).toMatch(
      /^subnet 10\.244\.1\.0\/24 of network "l2bridge" overlaps with 10\.244\.0\.0\/16 of network "other" on adapter "Ethernet"/,
    );
  });
});

describe('if the other networks cannot be read', () => {
  test.each<[string, Fault]>([
    ['fails', 0x80004005],
    ['is late', 'late'],
    ['is invalid', { answer: '{' }],
  ])('because their list %s, HNS decides', async (_, fault) => {
    const options = { fault: (call: string) => (call === listing ? fault : undefined) };
    const { id: created, notices } = await createBeside([other('Transparent')], options);
    expect(created).toBe(id);
    expect(notices[0]).toMatch(/^network "l2bridge" was not compared with the other networks: \S/);
  });

  test('an internal error is not hidden', async () => {
    const broken = new TypeError('broken');
    const options = { fault: (call: string) => (call === listing ? broken : undefined) };
    expect((await createBeside([], options)).error).toBe(broken);
  });
});
