import fc from 'fast-check';
import { networkTypes } from '../../src/config/network-config.ts';

const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc
  .tuple(fc.integer({ min: 1, max: 223 }), octet, octet, octet)
  .map((octets) => octets.join('.'));
const ipv6 = fc.ipV6();
const address = fc.oneof(ipv4, ipv6);
const prefix = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 8, max: 32 })).map(([ip, length]) => `${ip}/${length}`),
  ipv4,
);
const port = fc.integer({ min: 1, max: 65535 });
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 4 });

const acl = fc.record(
  {
    action: fc.constantFrom('Allow', 'Block'),
    direction: fc.constantFrom('In', 'Out'),
    protocols: list(fc.oneof(fc.constantFrom('tcp', 'udp', 'icmpv4'), fc.integer({ min: 0, max: 256 }))),
    localAddresses: list(prefix),
    remoteAddresses: list(prefix),
    localPorts: list(port),
    remotePorts: list(port),
    priority: fc.integer({ min: 1, max: 65499 }),
    ruleType: fc.constantFrom('Switch', 'Host'),
  },
  { requiredKeys: ['action', 'direction'] },
);

/** Configurations that ADD and HNS accept, as libcni passes them. */
export const validConfig = fc
  .record(
    {
      cniVersion: fc.constantFrom('0.4.0', '1.0.0', '1.1.0'),
      name: fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,20}$/),
      type: fc.constant('win-hcn'),
      // 10.0.0.0/24 is the node's own subnet: NAT and ICS networks must not overlap it.
      network: fc.tuple(
        fc.integer({ min: 1, max: 255 }),
        octet,
        fc.constantFrom(...networkTypes),
        fc.integer({ min: 4096, max: 16777214 }),
      ),
      ipam: fc.constantFrom({ type: '' }, { type: 'test-ipam' }),
      dns: fc.record(
        {
          nameservers: fc.array(address, { maxLength: 3 }),
          domain: fc.domain(),
          search: fc.array(fc.domain(), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
      acls: fc.array(acl, { maxLength: 4 }),
      defaultAction: fc.constantFrom('Allow', 'Block'),
      networkFlags: fc.uniqueArray(fc.constantFrom('EnableNonPersistent', 'EnableMirroring')),
      macPool: fc.constant([{ start: '00-15-5D-52-C0-00', end: '00-15-5d-52-cf-ff' }]),
      mtu: fc.integer({ min: 576, max: 1450 }),
      hostEndpoint: fc.constant({}),
      remoteSubnets: fc.constant([172, 173].map((first) => `${first}.16.0.0/24`)),
      sourceVip: fc.boolean(),
      loopbackDSR: fc.boolean(),
      portMapping: fc.record({ localRoutedVip: fc.boolean(), allowAcl: fc.boolean() }, { requiredKeys: [] }),
      outboundNat: fc.record(
        { exceptions: fc.array(prefix, { maxLength: 5 }), destinations: list(prefix) },
        { requiredKeys: [] },
      ),
      sdnRoutes: fc.array(fc.record({ destinationPrefix: prefix, needEncap: fc.boolean() }), {
        maxLength: 3,
      }),
    },
    { requiredKeys: ['cniVersion', 'name', 'type', 'network', 'defaultAction'] },
  )
  .map(
    ({
      network: [second, third, networkType, vsid],
      mtu,
      hostEndpoint,
      loopbackDSR,
      remoteSubnets,
      sourceVip,
      ...config
    }) => {
      const external = ['L2Bridge', 'L2Tunnel', 'Overlay', 'Transparent'].includes(networkType);
      const bridge = ['L2Bridge', 'L2Tunnel'].includes(networkType);
      return {
        ...config,
        networkType,
        subnets: [{ subnet: `10.${second}.${third}.0/24`, ...(networkType === 'Overlay' ? { vsid } : {}) }],
        ...(external && mtu !== undefined && { mtu }),
        ...(bridge && hostEndpoint !== undefined && { hostEndpoint }),
        ...(networkType === 'Overlay' && sourceVip !== undefined && { sourceVip }),
        ...(networkType === 'L2Bridge' &&
          remoteSubnets && {
            remoteSubnets: remoteSubnets.map((subnet) => ({ subnet, nextHop: '10.0.0.9' })),
          }),
        ...(networkType === 'Overlay' &&
          remoteSubnets && {
            remoteSubnets: remoteSubnets.map((subnet) => ({
              subnet,
              providerAddress: '10.0.0.9',
              macAddress: '00-15-5D-0A-0B-0C',
            })),
          }),
        ...(config.ipam?.type && loopbackDSR !== undefined && { loopbackDSR }),
      };
    },
  );

export const containerId = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/);

/** Valid and invalid prefixes. */
export const cidr = fc.oneof(
  fc.tuple(fc.oneof(ipv4, ipv6), fc.integer({ min: 0, max: 128 })).map(([ip, length]) => `${ip}/${length}`),
  fc.string(),
);
