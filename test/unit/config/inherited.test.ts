import { expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

const read = (config: object) => {
  const opened = openConfig({ cniVersion: '1.0.0', name: 'cbr0', ...config }, 'C:\\bin\\nat.exe', '');
  return { ...readNetworkConfig(opened.json, {}, opened), ignored: opened.ignored };
};

test.each(['L2Bridge', undefined, null, 3, []])('a policy that is %j is refused by its path', (value) => {
  for (const container of ['policies', 'AdditionalArgs'])
    for (const type of ['win-bridge', 'win-overlay', 'nat'])
      for (const name of ['EndpointPolicy', ...(type === 'nat' ? ['NetworkPolicy'] : [])])
        expect(() => read({ type, [container]: [{ name, value }] })).toThrow(`/${container}/0/value is `);
});

test('policies that are no list are refused', () => {
  expect(() => read({ type: 'nat', AdditionalArgs: {} })).toThrow('/AdditionalArgs is {}, expected a list');
});

test('a flag of sdnbridge that nobody knows is named, and one that nobody needs is not', () => {
  const optionalFlags = { enableDualStack: true, LoopbackDSR: true, forceBridge: true };
  expect(read({ type: 'sdnbridge', optionalFlags })).toMatchObject({
    loopbackDSR: true,
    ignored: ['/optionalFlags/forceBridge'],
  });
});

test("win-overlay's outbound NAT is asked for by ipMasq, not by ipMasqNetwork, and win-bridge's is", () => {
  const ipMasqNetwork = '10.244.0.0/16';
  const outboundNat = { exceptions: [ipMasqNetwork], destinations: [] };
  expect(read({ type: 'win-overlay', ipMasq: false, ipMasqNetwork }).outboundNat).toBeUndefined();
  expect(read({ type: 'win-overlay', ipMasq: true, ipMasqNetwork }).outboundNat).toEqual(outboundNat);
  expect(read({ type: 'win-bridge', ipMasq: false, ipMasqNetwork }).outboundNat).toEqual(outboundNat);
});

test.each(['NAT', 'ICS'])("nobody but the network's own gateway is one on %s", (type) => {
  const ipam = { subnet: '172.20.0.0/16', routes: [{ gw: '172.20.0.9' }] };
  expect(read({ type, ipam, optionalFlags: { forceBridgeGateway: true } })).toMatchObject({
    subnets: [{ prefix: '172.20.0.0/16', gateway: '172.20.0.9' }],
    behavior: { gateways: [], secondHostIsGateway: [], preferIpamGateway: 'never' },
  });
});
