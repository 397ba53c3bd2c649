import { expect, test } from 'vitest';
import { type Behavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { preferredGateways } from '../../../src/plan/endpoint-addresses.ts';

const network = {
  Name: 'cbr0',
  Type: 'L2Bridge',
  Ipams: [{ Subnets: [{ IpAddressPrefix: '10.244.3.0/24' }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const config = readNetworkConfig({
  cniVersion: '1.0.0',
  name: 'cbr0',
  networkType: 'L2Bridge',
  createNetwork: 'never',
  hostEndpoint: { address: '10.244.3.4' },
});
const prefix = { address: '10.244.3.9', length: 24 };
const gateways = (behavior: Partial<Behavior>, gateway: string | undefined) =>
  preferredGateways({ ...config, behavior: { ...dropInBehavior, ...behavior } }, network, {
    prefix,
    gateway,
  });

test("the node's own endpoint, the second address, the configuration and the IPAM plugin come in this order", () => {
  const all = {
    secondHostIsGateway: ['IPv4'],
    gateways: ['10.244.3.7'],
    preferIpamGateway: 'always',
    additionalGateways: ['10.244.3.8'],
  } as const;
  expect(gateways(all, '10.244.3.5')).toEqual(['10.244.3.4', '10.244.3.2', '10.244.3.7', '10.244.3.5']);
});

test.each([undefined, '10.244.3.1'])('an IPAM plugin that says %s knows no gateway', (gateway) => {
  const behavior = { preferIpamGateway: 'always', additionalGateways: ['10.244.3.8'] } as const;
  expect(gateways(behavior, gateway)).toEqual(['10.244.3.4', '10.244.3.8']);
});

test("an IPAM plugin's gateway does not count where it comes after the network's", () => {
  const behavior = { preferIpamGateway: 'never', additionalGateways: ['10.244.3.8'] } as const;
  expect(gateways(behavior, '10.244.3.5')).toEqual(['10.244.3.4']);
});

test('the second address is a gateway in the families alone in which the habit is', () => {
  const behavior = { ...dropInBehavior, secondHostIsGateway: ['IPv4'] } as const;
  const six = { prefix: { address: 'fd00:3::9', length: 64 }, gateway: undefined };
  expect(preferredGateways({ ...config, behavior }, network, six)).toEqual(['10.244.3.4']);
});
