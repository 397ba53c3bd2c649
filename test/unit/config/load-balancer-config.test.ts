import { describe, expect, test } from 'vitest';
import { readLoadBalancer } from '../../../src/config/load-balancer-config.ts';

const minimal = {
  name: 'dns',
  network: 'overlay',
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['192.168.1.2'],
};

describe('a load balancer configuration', () => {
  test('has defaults for all keys but name, network, ports and backends', () => {
    expect(readLoadBalancer(minimal)).toEqual({
      name: 'dns',
      network: 'overlay',
      family: 'IPv4',
      frontendVIPs: [],
      sourceVIP: undefined,
      sessionAffinity: 'None',
      directServerReturn: false,
      internalLoadBalancer: false,
      preserveDip: false,
      localRoutedVip: false,
      ports: [{ protocol: 'udp', port: 53, targetPort: 53 }],
      backends: [{ address: '192.168.1.2' }],
    });
  });

  test('has the family of its only address', () => {
    expect(readLoadBalancer({ ...minimal, backends: ['fd00::2'] }).family).toBe('IPv6');
  });

  test('accepts 1000 ports, and the same port for both protocols', () => {
    const ports = [
      { protocol: 'tcp', port: '1-500', targetPort: '1001-1500' },
      { protocol: 'udp', port: '1-500', targetPort: '1001-1500' },
    ];
    expect(readLoadBalancer({ ...minimal, ports }).ports).toHaveLength(1000);
  });
});

describe('an invalid load balancer configuration is refused with the path, the given and the expected value', () => {
  test.each([
    [
      { frontendVIPs: ['10.96.0.10'], sourceVIP: 'fd00::1' },
      '/sourceVIP is "fd00::1", expected an IPv4 address like /frontendVIPs/0',
    ],
    [
      { backends: ['192.168.1.2', { address: '192.168.1.2' }] },
      '/backends/1/address is "192.168.1.2", expected an address other than that of /backends/0',
    ],
    [{ backends: [1] }, '/backends/0 is 1, expected an IP address, or an object with address'],
    [
      { backends: [{ address: '192.168.1.2', providerAddress: 'node2' }] },
      '/backends/0/providerAddress is "node2", expected an IP address',
    ],
    [
      { ports: [{ protocol: 'tcp', port: '90-80', targetPort: '80-90' }] },
      '/ports/0/port is "90-80", expected ports from 1 to 65535, lower port first',
    ],
    [
      { ports: [{ protocol: 'tcp', port: '80-90', targetPort: 80 }] },
      '/ports/0/targetPort is 80, expected as many ports as in port, which is 11',
    ],
    [
      {
        ports: [
          { protocol: 'tcp', port: 80, targetPort: 8080 },
          { protocol: 6, port: 80, targetPort: 8081 },
        ],
      },
      '/ports/1/port is 80, expected tcp ports that do not overlap those of /ports/0',
    ],
    [
      {
        ports: [
          { protocol: 'tcp', port: '1-1000' },
          { protocol: 'tcp', port: 1001 },
        ],
      },
      '/ports is "1001 ports", expected at most 1000, counting every port of a range',
    ],
  ])('%j: %s', (changes, problem) => {
    expect(() => readLoadBalancer({ ...minimal, ...changes })).toThrow(
      expect.objectContaining({
        code: 7,
        message: `invalid load balancer configuration: ${problem}`,
        details: '',
      }),
    );
  });

  test.each([
    [
      { frontendVIPs: ['x', 'y'], sourceVIP: 'fd00::1', backends: ['fd00::2'] },
      ['/frontendVIPs/0', '/frontendVIPs/1'],
    ],
    [
      {
        ports: [
          { protocol: 'tcp', port: 1 },
          { protocol: 'tcp', port: '1-5' },
          { protocol: 'tcp', port: '5-9' },
        ],
      },
      ['/ports/1/port', '/ports/2/port'],
    ],
  ])('%j has no problem besides those at %j', (changes, paths) => {
    const problems = expect.objectContaining({
      problems: paths.map((path) => expect.objectContaining({ path })),
    });
    expect(() => readLoadBalancer({ ...minimal, ...changes })).toThrow(problems);
  });
});
