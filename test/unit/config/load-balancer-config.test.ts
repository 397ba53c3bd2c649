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

  test('is read with all keys', () => {
    const document = {
      $schema: 'load-balancer.schema.json',
      'x-comment': 'for the website',
      name: 'web',
      network: 'overlay',
      frontendVIPs: ['fd00:10:96::A', 'fd00:10:96::b'],
      sourceVIP: 'FD00::1',
      sessionAffinity: 'SourceIPProtocol',
      directServerReturn: true,
      internalLoadBalancer: true,
      preserveDip: true,
      localRoutedVip: true,
      ports: [
        { protocol: 6, port: '8080-8082', targetPort: '80-82' },
        { protocol: 17, port: 8080, targetPort: '80' },
      ],
      backends: [
        'fd00:192::2',
        { address: 'fd00:192:0::3', macAddress: '02:11:0a:00:00:03', providerAddress: '10.0.0.5' },
      ],
    };
    expect(readLoadBalancer(document)).toEqual({
      name: 'web',
      network: 'overlay',
      family: 'IPv6',
      frontendVIPs: ['fd00:10:96::a', 'fd00:10:96::b'],
      sourceVIP: 'fd00::1',
      sessionAffinity: 'SourceIPProtocol',
      directServerReturn: true,
      internalLoadBalancer: true,
      preserveDip: true,
      localRoutedVip: true,
      ports: [
        { protocol: 'tcp', port: 8080, targetPort: 80 },
        { protocol: 'tcp', port: 8081, targetPort: 81 },
        { protocol: 'tcp', port: 8082, targetPort: 82 },
        { protocol: 'udp', port: 8080, targetPort: 80 },
      ],
      backends: [
        { address: 'fd00:192::2' },
        { address: 'fd00:192::3', macAddress: '02-11-0A-00-00-03', providerAddress: '10.0.0.5' },
      ],
    });
  });

  test('matches keys and values without case, and null means absent', () => {
    const document = {
      Name: 'dns',
      NETWORK: 'overlay',
      sessionaffinity: 'sourceip',
      frontendVips: null,
      Ports: [{ Protocol: 'UDP', Port: 53, targetport: null }],
      Backends: [{ Address: '192.168.1.2', ProviderAddress: '10.0.0.5' }],
    };
    expect(readLoadBalancer(document)).toEqual({
      ...readLoadBalancer(minimal),
      sessionAffinity: 'SourceIP',
      backends: [{ address: '192.168.1.2', providerAddress: '10.0.0.5' }],
    });
  });

  test('has the family of its only address', () => {
    expect(readLoadBalancer({ ...minimal, backends: ['fd00::2'] }).family).toBe('IPv6');
  });

  test('accepts ports beside each other, in any order', () => {
    const ports = ['80-90', '70-79', '91-95'].map((port) => ({ protocol: 'tcp', port }));
    expect(readLoadBalancer({ ...minimal, ports }).ports).toHaveLength(26);
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
    [{ name: undefined }, '/name is missing, expected a name that is not empty'],
    [{ name: ' ' }, '/name is " ", expected a name that is not empty'],
    [{ network: null }, '/network is missing, expected the name of an HCN network'],
    [{ ports: [] }, '/ports is [], expected a list with at least one item'],
    [{ backends: [] }, '/backends is [], expected a list with at least one item'],
    [
      { sessionAffinity: 'ClientIP' },
      '/sessionAffinity is "ClientIP", expected "None", "SourceIPProtocol" or "SourceIP"',
    ],
    [{ preserveDip: 'yes' }, '/preserveDip is "yes", expected true or false'],
    [
      { frontendVIPs: ['10.96.0.10', '10.96.0.300'] },
      '/frontendVIPs/1 is "10.96.0.300", expected an IP address',
    ],
    [
      { frontendVIPs: ['0.0.0.0'] },
      '/frontendVIPs/0 is "0.0.0.0", expected a unicast address that is not a loopback address',
    ],
    [
      { frontendVIPs: ['10.96.0.10', '::ffff:10.96.0.10'] },
      '/frontendVIPs/1 is "10.96.0.10", expected an address other than that of /frontendVIPs/0',
    ],
    [
      { frontendVIPs: ['10.96.0.10', 'fd00::10'] },
      '/frontendVIPs/1 is "fd00::10", expected an IPv4 address like /frontendVIPs/0',
    ],
    [
      { frontendVIPs: ['10.96.0.10'], sourceVIP: 'fd00::1' },
      '/sourceVIP is "fd00::1", expected an IPv4 address like /frontendVIPs/0',
    ],
    [
      { sourceVIP: 'fd00::1', backends: [{ address: '192.168.1.2' }] },
      '/backends/0/address is "192.168.1.2", expected an IPv6 address like /sourceVIP',
    ],
    [
      { backends: ['192.168.1.2', { address: '192.168.1.2' }] },
      '/backends/1/address is "192.168.1.2", expected an address other than that of /backends/0',
    ],
    [{ backends: ['web'] }, '/backends/0 is "web", expected an IP address'],
    [{ backends: [{ address: 'web' }] }, '/backends/0/address is "web", expected an IP address'],
    [
      { ports: [{ protocol: 'udp', port: 53, targetPort: 'x' }] },
      '/ports/0/targetPort is "x", expected a port, or a range such as 8080-8090',
    ],
    [
      { ports: [{ protocol: 'udp', port: '90-80', targetPort: '80-90' }] },
      '/ports/0/port is "90-80", expected ports from 1 to 65535, lower port first',
    ],
    [
      { ports: [{ protocol: 'udp', port: '80-90', targetPort: '90-80' }] },
      '/ports/0/targetPort is "90-80", expected ports from 1 to 65535, lower port first',
    ],
    [
      { ports: [{ protocol: 'udp', port: '1-2', targetPort: 1 }] },
      '/ports/0/targetPort is 1, expected as many ports as in port, which is 2',
    ],
    [
      { ports: [{ protocol: 'udp', port: 1, targetPort: '1-2' }] },
      '/ports/0/targetPort is "1-2", expected as many ports as in port, which is 1',
    ],
    [{ backends: [1] }, '/backends/0 is 1, expected an IP address, or an object with address'],
    [
      { backends: [{ macAddress: '02-11-0A-00-00-02' }] },
      '/backends/0/address is missing, expected an IP address',
    ],
    [
      { backends: [{ address: '192.168.1.2', macAddress: '01-00-5E-00-00-02' }] },
      '/backends/0/macAddress is "01-00-5E-00-00-02", expected a unicast MAC address such as 02-11-0A-00-00-02',
    ],
    [
      { backends: [{ address: '192.168.1.2', providerAddress: 'node2' }] },
      '/backends/0/providerAddress is "node2", expected an IP address',
    ],
    [
      { ports: [{ protocol: 'sctp', port: 53 }] },
      '/ports/0/protocol is "sctp", expected "tcp", "udp", 6 or 17',
    ],
    [
      { ports: [{ protocol: 'tcp' }] },
      '/ports/0/port is missing, expected a port, or a range such as 8080-8090',
    ],
    [
      { ports: [{ protocol: 'tcp', port: 0 }] },
      '/ports/0/port is 0, expected a port, or a range such as 8080-8090',
    ],
    [
      { ports: [{ protocol: 'tcp', port: '65536' }] },
      '/ports/0/port is "65536", expected ports from 1 to 65535, lower port first',
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
          { protocol: 'udp', port: 53 },
          { protocol: 'tcp', port: '80-90' },
          { protocol: 'tcp', port: '70-80' },
        ],
      },
      '/ports/2/port is "70-80", expected tcp ports that do not overlap those of /ports/1',
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
    [{ frontendVIP: ['10.96.0.10'] }, '/frontendVIP', '["10.96.0.10"]', 'frontendVIPs'],
    [{ backends: [{ address: '192.168.1.2', mac: 'x' }] }, '/backends/0/mac', '"x"', undefined],
    [{ ports: [{ protocol: 'tcp', port: 80, targetPorts: 80 }] }, '/ports/0/targetPorts', '80', 'targetPort'],
  ])('unknown key: %j', (changes, path, found, meant) => {
    const hint = meant === undefined ? '' : `, did you mean "${meant}"?`;
    expect(() => readLoadBalancer({ ...minimal, ...changes })).toThrow(
      expect.objectContaining({
        code: 2,
        message: `invalid load balancer configuration: ${path} is an unknown key (value: ${found})${hint}`,
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
          { protocol: 'tcp', port: '9-8' },
          { protocol: 'tcp', port: '7-6' },
          { protocol: 'tcp', port: '1-5' },
        ],
      },
      ['/ports/0/port', '/ports/1/port'],
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

  test('the details list all further problems', () => {
    const changes = { frontendVIPs: ['x'], sourceVIP: 'y' };
    expect(() => readLoadBalancer({ ...minimal, ...changes })).toThrow(
      expect.objectContaining({
        message: 'invalid load balancer configuration: /frontendVIPs/0 is "x", expected an IP address',
        details: '/sourceVIP is "y", expected an IP address',
      }),
    );
  });
});
