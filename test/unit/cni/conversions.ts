// Results as Go's library converts them to every version. Versions 0.3.0 to 0.4.0 are equal, and so are 1.0.0 and later.

interface Conversion {
  readonly what: string;
  readonly from: object;
  /** In 0.1.0 and 0.2.0; absent where it cannot be said. */
  readonly first: object | undefined;
  /** From 0.3.0 to 0.4.0. */
  readonly middle: object;
  /** From 1.0.0. */
  readonly modern: object;
}

const mac = '00:15:5d:11:22:33';
const sandbox = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const dns = { nameservers: ['10.96.0.10'], domain: 'cluster.local', search: ['a.b'], options: ['ndots:5'] };
const eth0 = { name: 'eth0', mac, sandbox };
const everything = { ...eth0, mtu: 1500, socketPath: '/s', pciID: '0000:01:00.0' };
const host = { name: 'vEthernet' };
const route = { dst: '10.96.0.0/12', gw: '10.5.0.1' };
const routeWithAll = { ...route, mtu: 1400, advmss: 1360, priority: 5, table: 100, scope: 253 };
const routes = [{ dst: '0.0.0.0/0' }, routeWithAll, { dst: '::/0', gw: 'fd00:5::1' }];

export const conversions: readonly Conversion[] = [
  {
    what: 'a result with everything',
    from: {
      cniVersion: '1.1.0',
      interfaces: [everything, host],
      ips: [
        { address: '10.5.0.2/24', gateway: '10.5.0.1', interface: 0 },
        { address: '10.5.0.3/24', interface: 0 },
        { address: 'fd00:5::2/64', gateway: 'fd00:5::1', interface: 0 },
      ],
      routes,
      dns,
    },
    first: {
      ip4: { ip: '10.5.0.2/24', gateway: '10.5.0.1', routes: [{ dst: '0.0.0.0/0' }, route] },
      ip6: { ip: 'fd00:5::2/64', gateway: 'fd00:5::1', routes: [{ dst: '::/0', gw: 'fd00:5::1' }] },
      dns,
    },
    middle: {
      interfaces: [eth0, host],
      ips: [
        { version: '4', interface: 0, address: '10.5.0.2/24', gateway: '10.5.0.1' },
        { version: '4', interface: 0, address: '10.5.0.3/24' },
        { version: '6', interface: 0, address: 'fd00:5::2/64', gateway: 'fd00:5::1' },
      ],
      routes,
      dns,
    },
    modern: {
      interfaces: [everything, host],
      ips: [
        { interface: 0, address: '10.5.0.2/24', gateway: '10.5.0.1' },
        { interface: 0, address: '10.5.0.3/24' },
        { interface: 0, address: 'fd00:5::2/64', gateway: 'fd00:5::1' },
      ],
      routes,
      dns,
    },
  },
  {
    what: 'a result of IPv6 alone with a route of IPv4',
    from: { cniVersion: '1.1.0', ips: [{ address: 'fd00:5::2/64' }], routes: [{ dst: '0.0.0.0/0' }] },
    first: { ip6: { ip: 'fd00:5::2/64' }, dns: {} },
    middle: { ips: [{ version: '6', address: 'fd00:5::2/64' }], routes: [{ dst: '0.0.0.0/0' }], dns: {} },
    modern: { ips: [{ address: 'fd00:5::2/64' }], routes: [{ dst: '0.0.0.0/0' }] },
  },
  {
    what: 'an empty result',
    from: { cniVersion: '1.1.0' },
    first: undefined,
    middle: { dns: {} },
    modern: {},
  },
  {
    what: 'a result with a mapped address and zeros',
    from: {
      cniVersion: '1.1.0',
      ips: [{ address: '::ffff:10.1.2.3/120' }],
      routes: [{ dst: '10.1.2.3/8', table: 0, scope: 0, mtu: 0, priority: 0 }],
    },
    first: { ip4: { ip: '10.1.2.3/24', routes: [{ dst: '10.1.2.3/8' }] }, dns: {} },
    middle: {
      ips: [{ version: '4', address: '10.1.2.3/24' }],
      routes: [{ dst: '10.1.2.3/8', table: 0, scope: 0 }],
      dns: {},
    },
    modern: { ips: [{ address: '10.1.2.3/24' }], routes: [{ dst: '10.1.2.3/8', table: 0, scope: 0 }] },
  },
  {
    what: 'a result of 0.2.0',
    from: {
      cniVersion: '0.2.0',
      ip4: { ip: '10.5.0.2/24', gateway: '10.5.0.1', routes: [{ dst: '0.0.0.0/0' }] },
      ip6: { ip: 'fd00::2/64' },
      dns: { nameservers: ['1.1.1.1'] },
    },
    first: {
      ip4: { ip: '10.5.0.2/24', gateway: '10.5.0.1', routes: [{ dst: '0.0.0.0/0' }] },
      ip6: { ip: 'fd00::2/64' },
      dns: { nameservers: ['1.1.1.1'] },
    },
    middle: {
      ips: [
        { version: '4', address: '10.5.0.2/24', gateway: '10.5.0.1' },
        { version: '6', address: 'fd00::2/64' },
      ],
      routes: [{ dst: '0.0.0.0/0' }],
      dns: { nameservers: ['1.1.1.1'] },
    },
    modern: {
      ips: [{ address: '10.5.0.2/24', gateway: '10.5.0.1' }, { address: 'fd00::2/64' }],
      routes: [{ dst: '0.0.0.0/0' }],
      dns: { nameservers: ['1.1.1.1'] },
    },
  },
];

/** Invalid results, with the member that is wrong. */
export const unreadable: readonly (readonly [string, object])[] = [
  ['ips[0].address', { ips: [{ address: '10.0.0.1' }] }],
  ['ips[0].gateway', { ips: [{ address: '10.0.0.1/24', gateway: 'x' }] }],
  ['ips[0].interface', { ips: [{ address: '10.0.0.1/24', interface: '0' }] }],
  ['interfaces[0].mtu', { interfaces: [{ name: 'a', mtu: '1500' }] }],
  ['routes[0].dst', { routes: [{ dst: 'default' }] }],
  ['ips', { ips: {} }],
  // Go passes these on unchanged; they crash a runtime or have no meaning.
  ['ips[0]', { ips: [null] }],
  ['interfaces[0]', { interfaces: [null] }],
  ['routes[0].dst', { routes: [{}] }],
];
