import { describe, expect, it, test } from 'vitest';
import { createNetwork, startForTest } from './test-client.ts';

const duplicate = '0x80070034';

interface Subnet {
  readonly ID: string;
  readonly IpAddressPrefix: string;
  readonly Routes?: readonly { readonly NextHop: string }[];
  readonly IpSubnets?: readonly object[];
}

function subnetsOf(document: Record<string, unknown>): readonly Subnet[] {
  return (document['Ipams'] as { Subnets: Subnet[] }[]).flatMap(({ Subnets }) => Subnets);
}

const subnets = (...prefixes: string[]) => ({
  Ipams: [{ Type: 'Static', Subnets: prefixes.map((IpAddressPrefix) => ({ IpAddressPrefix })) }],
});

describe('automatic subnets', () => {
  test.each([['NAT', 'T hcnnetwork_test.go, O docker-netrestore']])(
    '%s without Ipams gets a /20 of 172.16.0.0/12 with the gateway at .1 [$1]',
    async (Type) => {
      await startForTest();
      const [subnet] = subnetsOf((await createNetwork({ Type })).document);
      expect(subnet).toMatchObject({ IpAddressPrefix: expect.stringMatching(/^172\.\d+\.\d+\.0\/20$/) });
      expect(subnet?.Routes).toMatchObject([{ NextHop: subnet?.IpAddressPrefix.replace('.0/20', '.1') }]);
    },
  );
  it('overlap neither each other nor requested ones [O docker-netrestore]', async () => {
    await startForTest();
    await createNetwork({ Name: 'given', Type: 'NAT', ...subnets('172.21.16.0/20') });
    const [nextNat] = subnetsOf((await createNetwork({ Name: 'second', Type: 'NAT' })).document);
    const [ics] = subnetsOf((await createNetwork({ Name: 'ics', Type: 'ICS' })).document);
    expect(new Set(['172.21.16.0/20', nextNat?.IpAddressPrefix, ics?.IpAddressPrefix]).size).toBe(3);
  });
});

describe('subnets overlap', () => {
  test.each([
    ['NAT', 'NAT'],
    ['NAT', 'ICS'],
    ['ICS', 'Internal'],
  ])('%s and %s are refused with ERROR_DUP_NAME [C AppSandbox, O wsl2-boot#3]', async (one, other) => {
    await startForTest();
    await createNetwork({ Name: 'one', Type: one, ...subnets('172.20.48.0/20') });
    const { hresult } = await createNetwork({ Name: 'other', Type: other, ...subnets('172.20.0.0/16') });
    expect(hresult).toBe(duplicate);
  });
});
