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

describe('the networks that HNS can combine', () => {
  test('do not include one with the same name, which a concurrent request creates', async () => {
    const own = { ...other('Transparent', 'L2Bridge'), ID: networkId('any') };
    const isByName = (call: string) => call.startsWith('enumerate Network {"');
    const fault = (call: string, nth: number) => {
      if (isByName(call)) return { answer: '[]' };
      return call === create && nth === 1 ? adapterNotFound : undefined;
    };
    const { id: created, tries } = await createBeside([own], { fault });
    expect({ created, tries }).toEqual({ created: id, tries: 2 });
  });
});

describe('if the other networks cannot be read', () => {
  const failures: readonly [string, Fault][] = [
    ['fails', 0x80004005],
    ['is late', 'late'],
    ['is not read because of an internal error', new TypeError('broken')],
  ];
  const failing = (fault: Fault) => (call: string) => (call === listing ? fault : undefined);
  const notCompared = expect.stringMatching(
    /^network "l2bridge" was not compared with the other networks: \S/,
  );

  test.each(failures)('because their list %s, the creation succeeds', async (_, fault) => {
    const { id: created, notices } = await createBeside([other('L2Bridge')], { fault: failing(fault) });
    expect({ created, notices }).toEqual({ created: id, notices: [expect.any(String), notCompared] });
  });

  test.each(failures)('because their list %s, a refused creation is retried', async (_, fault) => {
    const { error, tries, milliseconds } = await createBeside([other('Transparent')], {
      fault: (call) => refusing(adapterNotFound).fault(call) ?? failing(fault)(call),
    });
    expect(error).toMatchObject({
      message: expect.stringContaining('HCN_E_ADAPTER_NOT_FOUND'),
    });
    expect({ tries, milliseconds }).toEqual({ tries: 2, milliseconds: 6_000 });
  });
});
