import { describe, expect, test } from 'vitest';
import { readLoadBalancer } from '../../../src/config/load-balancer.ts';

const little = {
  name: 'dns',
  network: 'overlay',
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['192.168.1.2'],
};

describe('a load balancer', () => {
  test('says little and means this', () => {
    expect(readLoadBalancer(little)).toEqual({
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

  test('says everything and means this', () => {
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

  test('may be written in another case, and null means absent', () => {
    const document = {
      Name: 'dns',
      NETWORK: 'overlay',
      sessionaffinity: 'sourceip',
      frontendVips: null,
      Ports: [{ Protocol: 'UDP', Port: 53, targetport: null }],
      Backends: [{ Address: '192.168.1.2', ProviderAddress: '10.0.0.5' }],
    };
    expect(readLoadBalancer(document)).toEqual({
      ...readLoadBalancer(little),
      sessionAffinity: 'SourceIP',
      backends: [{ address: '192.168.1.2', providerAddress: '10.0.0.5' }],
    });
  });

  test('may have 1000 ports, and protocols may share a port', () => {
    const ports = [
      { protocol: 'tcp', port: '1-500', targetPort: '1001-1500' },
      { protocol: 'udp', port: '1-500', targetPort: '1001-1500' },
    ];
    expect(readLoadBalancer({ ...little, ports }).ports).toHaveLength(1000);
  });
});

const portRule = 'a port, or a range such as 8080-8090';

describe('a load balancer is refused', () => {
  test.each([
    ['without a name', { name: undefined }, '/name is missing, expected a name that is not empty'],
    ['with an empty name', { name: ' ' }, '/name is " ", expected a name that is not empty'],
    ['without a network', { network: null }, '/network is missing, expected the name of an HCN network'],
    ['without ports', { ports: [] }, '/ports is [], expected a list with at least one item'],
    ['without backends', { backends: [] }, '/backends is [], expected a list with at least one item'],
    [
      'with another affinity',
      { sessionAffinity: 'ClientIP' },
      '/sessionAffinity is "ClientIP", expected "None", "SourceIPProtocol" or "SourceIP"',
    ],
    ['with a word for a boolean', { preserveDip: 'yes' }, '/preserveDip is "yes", expected true or false'],
    [
      'with a VIP that is no address',
      { frontendVIPs: ['10.96.0.10', '10.96.0.300'] },
      '/frontendVIPs/1 is "10.96.0.300", expected an IP address',
    ],
    [
      'with a VIP that no machine can have',
      { frontendVIPs: ['0.0.0.0'] },
      '/frontendVIPs/0 is "0.0.0.0", expected a unicast address that is not a loopback address',
    ],
    [
      'with a VIP twice',
      { frontendVIPs: ['10.96.0.10', '::ffff:10.96.0.10'] },
      '/frontendVIPs/1 is "10.96.0.10", expected an address other than that of /frontendVIPs/0',
    ],
    [
      'with VIPs of two families',
      { frontendVIPs: ['10.96.0.10', 'fd00::10'] },
      '/frontendVIPs/1 is "fd00::10", expected an IPv4 address like /frontendVIPs/0',
    ],
    [
      'with a source VIP of another family',
      { frontendVIPs: ['10.96.0.10'], sourceVIP: 'fd00::1' },
      '/sourceVIP is "fd00::1", expected an IPv4 address like /frontendVIPs/0',
    ],
    [
      'with a backend of another family',
      { sourceVIP: 'fd00::1', backends: [{ address: '192.168.1.2' }] },
      '/backends/0/address is "192.168.1.2", expected an IPv6 address like /sourceVIP',
    ],
    [
      'with a backend twice',
      { backends: ['192.168.1.2', { address: '192.168.1.2' }] },
      '/backends/1/address is "192.168.1.2", expected an address other than that of /backends/0',
    ],
    [
      'with a backend that is no address',
      { backends: ['web'] },
      '/backends/0 is "web", expected an IP address',
    ],
    [
      'with a number for a backend',
      { backends: [1] },
      '/backends/0 is 1, expected an IP address, or an object with address',
    ],
    [
      'with a backend without an address',
      { backends: [{ macAddress: '02-11-0A-00-00-02' }] },
      '/backends/0/address is missing, expected an IP address',
    ],
    [
      'with a multicast MAC address',
      { backends: [{ address: '192.168.1.2', macAddress: '01-00-5E-00-00-02' }] },
      '/backends/0/macAddress is "01-00-5E-00-00-02", expected a unicast MAC address such as 02-11-0A-00-00-02',
    ],
    [
      'with a provider address that is none',
      { backends: [{ address: '192.168.1.2', providerAddress: 'node2' }] },
      '/backends/0/providerAddress is "node2", expected an IP address',
    ],
    [
      'with another protocol',
      { ports: [{ protocol: 'sctp', port: 53 }] },
      '/ports/0/protocol is "sctp", expected "tcp", "udp", 6 or 17',
    ],
    ['with port 0', { ports: [{ protocol: 'tcp', port: 0 }] }, `/ports/0/port is 0, expected ${portRule}`],
    [
      'with port 65536',
      { ports: [{ protocol: 'tcp', port: '65536' }] },
      '/ports/0/port is "65536", expected ports from 1 to 65535, the lower one first',
    ],
    [
      'with a range that runs backwards',
      { ports: [{ protocol: 'tcp', port: '90-80', targetPort: '80-90' }] },
      '/ports/0/port is "90-80", expected ports from 1 to 65535, the lower one first',
    ],
    [
      'with a range on one port',
      { ports: [{ protocol: 'tcp', port: '80-90', targetPort: 80 }] },
      '/ports/0/targetPort is 80, expected as many ports as in port, which is 11',
    ],
    [
      'with a port twice',
      {
        ports: [
          { protocol: 'tcp', port: 80, targetPort: 8080 },
          { protocol: 6, port: 80, targetPort: 8081 },
        ],
      },
      '/ports/1/port is 80, expected tcp ports that do not overlap those of /ports/0',
    ],
    [
      'with ranges that overlap',
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
      'with 1001 ports',
      {
        ports: [
          { protocol: 'tcp', port: '1-1000' },
          { protocol: 'tcp', port: 1001 },
        ],
      },
      '/ports is "1001 ports", expected at most 1000, counting every port of a range',
    ],
  ])('%s', (_, changes, problem) => {
    expect(() => readLoadBalancer({ ...little, ...changes })).toThrow(
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
  ])('with an unknown key: %o', (changes, path, found, meant) => {
    const hint = meant === undefined ? '' : `, did you mean "${meant}"?`;
    expect(() => readLoadBalancer({ ...little, ...changes })).toThrow(
      expect.objectContaining({
        code: 2,
        message: `invalid load balancer configuration: ${path} is an unknown key (value: ${found})${hint}`,
      }),
    );
  });

  test('with every problem in the details', () => {
    const changes = { frontendVIPs: ['x'], sourceVIP: 'y' };
    expect(() => readLoadBalancer({ ...little, ...changes })).toThrow(
      expect.objectContaining({
        message: 'invalid load balancer configuration: /frontendVIPs/0 is "x", expected an IP address',
        details: '/sourceVIP is "y", expected an IP address',
      }),
    );
  });
});
