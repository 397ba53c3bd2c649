import { describe, expect, test } from 'vitest';
import { reclaimAddresses } from '../../../src/commands/reclaim-addresses.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { HcnError } from '../../../src/hcn/errors.ts';
import { example } from '../../e2e/example.ts';
import { changesIn, type Fault, faultsOf } from '../hcn/small-hcn.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const network = '22222222-2222-3333-4444-555555555555';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const wanted = '070ede33-25ca-43d9-9556-72c268cfd259';
const first = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const SchemaVersion = { Major: 2, Minor: 0 };
const addresses = (...all: readonly string[]) => ({
  IpConfigurations: all.map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
});
const document = {
  ID: wanted,
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: network,
  ...addresses('10.244.1.5', 'fd00::5'),
  SchemaVersion,
};
const leftover = (ID: string, ...all: readonly string[]) => ({
  ...document,
  ID,
  Name: 'gone_cbr0_eth0',
  ...addresses(...all),
});
const config = { ...readNetworkConfig(example('l2bridge')), name: 'cbr0' };
const addressTaken = 0x803b002f;

/** Reclaims the addresses of a refused endpoint. Returns the result or the error, and the changes. */
async function reclaimed(options: SmallNodeOptions, hresult = addressTaken) {
  const { context, calls, notices, all } = smallNode(options);
  const refusal = new HcnError('creating endpoint "c0ffee_cbr0_eth0"', hresult, '');
  const outcome = await reclaimAddresses(refusal, document, config, context).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  const changes = changesIn(calls);
  return { ...outcome, changes, notices, calls, remaining: all('Endpoint').map(({ ID }) => ID) };
}

describe('the addresses of a refused endpoint', () => {
  test('are not the reason if HNS refuses for another reason', async () => {
    const { result, changes } = await reclaimed({ endpoints: [leftover(first, '10.244.1.5')] }, 0x803b001e);
    expect({ result, changes }).toEqual({ result: false, changes: [] });
  });

  test('of an endpoint whose namespace is gone are freed', async () => {
    const attached = { ...leftover(first, '10.244.1.5'), HostComputeNamespace: namespace };
    const { result, remaining, notices } = await reclaimed({ endpoints: [attached] });
    expect({ result, remaining }).toEqual({ result: true, remaining: [] });
    expect(notices).toEqual([
      `deleted leftover endpoint "gone_cbr0_eth0" (${first}) with address 10.244.1.5`,
    ]);
  });

  const query = `query Endpoint ${first}`;
  const attachedMeanwhile = {
    answer: JSON.stringify({ ...leftover(first, '10.244.1.5'), HostComputeNamespace: namespace, State: 2 }),
  };

  test('are kept by a holder that another request attaches in the meantime', async () => {
    const { error, changes } = await reclaimed({
      endpoints: [leftover(first, '10.244.1.5')],
      namespaces: [{ ID: namespace }],
      ...faultsOf({ [query]: [undefined, attachedMeanwhile] }),
    });
    expect(error).toMatchObject({ details: expect.stringContaining(`in namespace ${namespace}`) });
    expect(changes).toEqual([]);
  });

  test('are not freed of a holder that HCN does not return, which a notice names', async () => {
    const { result, notices } = await reclaimed({
      endpoints: [leftover(first, '10.244.1.5')],
      fault: (call) => (call === query ? 0x80004005 : undefined),
    });
    expect(result).toBe(false);
    expect(notices).toEqual([
      expect.stringMatching(`^skipped an endpoint of another program: querying endpoint ${first}: .*E_FAIL`),
    ]);
  });

  test('stay if the list of endpoints fails, and the refusal comes first', async () => {
    const fault = (call: string): Fault | undefined =>
      call === `enumerate Endpoint {"VirtualNetwork":"${network}"}` ? 0x80004005 : undefined;
    const { error } = await reclaimed({ endpoints: [leftover(first, '10.244.1.5')], fault });
    expect(error).toMatchObject({
      message: expect.stringContaining('HCN_E_ADDR_INVALID_OR_RESERVED'),
      details: expect.stringContaining('E_FAIL'),
    });
  });
});
