import { describe, expect, test } from 'vitest';
import { portMappings } from '../../../../src/cli/doctor/checks/port-mappings.ts';
import { examine } from '../../../../src/cli/doctor/checks.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';
import { configured, facts } from './facts.ts';

const capabilities = { portMappings: true };
const dualStack = { subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:10:244:1::/64' }] };

/** An inventory with the configured network, which has these subnets. */
function withNetwork(...prefixes: readonly string[]): Inventory {
  const network = {
    ID: 'a1',
    Name: 'pods',
    Type: 'L2Bridge',
    Ipams: [{ Subnets: prefixes.map((IpAddressPrefix) => ({ IpAddressPrefix })) }],
    SchemaVersion: { Major: 2, Minor: 0 },
  };
  return { networks: [network], endpoints: [], namespaces: [], loadBalancers: [] };
}

const uncertain = [
  {
    verdict: 'UNKNOWN',
    seen: 'IPv6 host ports on "pods" may not work: HNS was reported to accept but not translate them (microsoft/hcsshim#2590); test one',
    see: 'Test-NetConnection -ComputerName NODE_IPV6 -Port HOST_PORT',
  },
];

describe('port mappings', () => {
  test.each([
    ['is dual-stack', dualStack],
    ['is IPv6 alone', { subnets: [{ subnet: 'fd00:10:244:1::/64' }] }],
  ])('are uncertain on IPv6 where the configured network %s', (_, members) => {
    expect(portMappings.judge(facts({ configuration: configured({ capabilities, ...members }) }))).toEqual(
      uncertain,
    );
  });

  test('are uncertain on IPv6 where the network that exists is dual-stack', () => {
    const configuration = configured({ capabilities, subnets: undefined, createNetwork: 'never' });
    const inventory = { known: withNetwork('10.244.1.0/24', 'fd00:10:244:1::/64') };
    expect(
      portMappings.judge(facts({ configuration, inventory, adapters: { known: hostAdapters } })),
    ).toEqual(uncertain);
  });

  test.each([
    ['on IPv4', { capabilities }],
    ['without the capability', dualStack],
    ['with the capability switched off', { ...dualStack, capabilities: { portMappings: false } }],
    ['with another capability', { ...dualStack, capabilities: { bandwidth: true } }],
  ])('are not reported %s', (_, members) => {
    expect(portMappings.judge(facts({ configuration: configured(members) }))).toEqual([]);
  });

  test('are checked by doctor', () => {
    const findings = examine(facts({ configuration: configured({ capabilities, ...dualStack }) }));
    expect(findings).toContainEqual({ check: 'port mappings', ...uncertain[0] });
  });

  test('are not reported without a configuration', () => {
    expect(portMappings.judge(facts())).toEqual([]);
  });
});
