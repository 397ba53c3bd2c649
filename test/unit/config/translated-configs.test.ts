import { describe, expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';

const ipam = {
  subnet: '10.244.1.9/24',
  routes: [
    { dst: '0.0.0.0/0', gw: '10.9.9.9' },
    { dst: '10.0.0.0/8', gw: '10.244.1.7' },
    { dst: '0.0.0.0/1', gw: '10.244.1.8' },
    { dst: '', GW: '10.244.1.2' },
    { gateway: '10.244.1.3', gw: '' },
    { gw: 'x' },
    { gw: '' },
    null,
  ],
};
/** CNI's keys and those of the process, which are the same in every dialect. */
const protocol = {
  cniVersion: '1.0.0',
  cniVersions: ['1.0.0'],
  name: 'net',
  ipam,
  capabilities: { dns: true },
  runtimeConfig: { mac: '02-11-00-00-00-01' },
  prevResult: { ips: [] },
  args: { cni: {} },
  disableCheck: true,
  disableGC: true,
  loadOnlyInlinedPlugins: true,
  hcnTimeoutSeconds: 5,
  logFile: '',
  'cni.dev/valid-attachments': [],
};
const inCapitals = Object.fromEntries(
  Object.entries(protocol).map(([key, value]) => [
    key.startsWith('cni.dev') ? key : key.toUpperCase(),
    value,
  ]),
);
const vsid = { name: 'NetworkPolicy', value: { type: 'vsid', VSID: 4096 } };
const vlan = { name: 'NetworkPolicy', value: { Type: 'Vlan', settings: { isolationid: 7 } } };
const policies = [
  { name: 'EndpointPolicy', value: { Type: 'OutBoundNAT', ExceptionList: ['10.0.0.0/8'] } },
  vsid,
  vlan,
  { name: 'NetworkPolicy', value: { Type: 'L4Proxy', Settings: { Port: '80' } } },
];
const given = {
  ...inCapitals,
  dns: { Nameservers: ['10.96.0.10'], Search: ['', 'svc.local', 'b.c'], Options: ['ndots:5'] },
  policies,
  additionalargs: [],
};
const flags = {
  localRoutedPortMapping: true,
  allowAclPortMapping: true,
  forceBridgeGateway: true,
  enableDualStack: true,
  loopbackDSR: true,
  gatewayFromAdditionalRoutes: true,
};
const sdnKeys = {
  optionalFlags: flags,
  additionalRoutes: [{ gw: '10.244.1.5' }, { gateway: 'y' }],
  master: 'Ethernet',
};
const open = (json: object, cniArgs = '') => openConfig({ ...json }, 'win-hcn.exe', cniArgs);

const translated = {
  ...protocol,
  type: 'win-hcn',
  dns: { nameservers: ['10.96.0.10'], search: ['', 'svc.local', 'b.c'], options: ['ndots:5'] },
  endpointPolicies: [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } }],
};
const behavior = {
  existingNetwork: 'use as is',
  gateways: [],
  additionalGateways: [],
  secondHostIsGateway: [],
  preferIpamGateway: 'never',
  ipamRoutes: 'default routes',
  endpointName: 'without interface',
  exceptOwnSubnets: false,
  adapter: 'HNS decides',
  defaultAction: 'HNS decides',
  addsHostRoute: false,
  portMappingRuleType: 'Switch',
};

describe('a configuration with all keys is translated', () => {
  const search = ['web.svc.local', 'b.c'];
  const sdn = {
    ...translated,
    dns: { ...translated.dns, search },
    createNetwork: 'ifMissing',
    subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.2', vsid: 4096, vlan: 7 }],
    networkPolicies: [{ Type: 'L4Proxy', Settings: { Port: '80' } }],
    loopbackDSR: true,
    portMapping: { localRoutedVip: true, allowAcl: true },
  };
  const ofSdn = {
    ...behavior,
    gateways: ['10.9.9.9', '10.244.1.2', '10.244.1.3'],
    additionalGateways: ['10.244.1.5'],
    secondHostIsGateway: ['IPv4'],
    preferIpamGateway: 'always',
    portMappingRuleType: undefined,
  };
  const ofNodeGateway = { ...behavior, portMappingRuleType: undefined };

  test.each([
    ['l2tunnel', 'L2Tunnel', ofSdn],
    ['ics', 'ICS', ofNodeGateway],
  ])('from %s', (type, networkType, expected) => {
    const opened = open({ ...given, ...sdnKeys, type }, 'K8S_POD_NAMESPACE=web');
    expect(opened.json).toEqual({ ...sdn, networkType });
    expect(opened.behavior).toStrictEqual(expected);
    expect(opened.ignored).toEqual(['/IPAM/routes/5/gw', '/additionalRoutes/1/gateway']);
    expect(
      [
        '/networkType',
        '/subnets/0/subnet',
        '/subnets/0/gateway',
        '/subnets/0/vsid',
        '/subnets/0/vlan',
        '/loopbackDSR',
        '/portMapping',
        '/portMapping/localRoutedVip',
        '/portMapping/allowAcl',
        '/endpointPolicies/0/Settings/Exceptions/0',
        '/networkPolicies/0/Settings/Port',
        '/dns/search/1',
      ].map(opened.pathOf),
    ).toEqual([
      '/NAME',
      '/IPAM/subnet',
      '/IPAM/routes/3/GW',
      '/policies/1/value/VSID',
      '/policies/2/value/settings/isolationid',
      '/optionalFlags/loopbackDSR',
      '/optionalFlags',
      '/optionalFlags/localRoutedPortMapping',
      '/optionalFlags/allowAclPortMapping',
      '/policies/0/value/ExceptionList/0',
      '/policies/3/value/Settings/Port',
      '/dns/Search/1',
    ]);
  });

  const bridgeKeys = {
    apiVersion: 2,
    loopbackDSR: true,
    ipMasq: true,
    ipMasqNetwork: '10.244.0.0/16',
    clusterNetworkPrefix: '10.245.0.0/16',
  };
  const bridge = {
    ...translated,
    createNetwork: 'never',
    outboundNat: { exceptions: ['10.244.0.0/16', '10.245.0.0/16'] },
    loopbackDSR: true,
    portMapping: { localRoutedVip: false },
  };
  const ofNetwork = ['/policies/1/value', '/policies/2/value', '/policies/3/value'];

  test('from win-l2bridge', () => {
    const opened = open({ ...given, ...bridgeKeys, type: 'win-l2bridge', endpointMacPrefix: '0E-2A' });
    expect(opened.json).toEqual({ ...bridge, networkType: 'L2Bridge' });
    expect(opened.behavior).toEqual({ ...behavior, secondHostIsGateway: ['IPv4', 'IPv6'] });
    expect(opened.ignored).toEqual(['/endpointMacPrefix', ...ofNetwork]);
    expect(opened.pathOf('/outboundNat/exceptions/1')).toBe('/clusterNetworkPrefix');
  });

  test('from win-overlay', () => {
    const opened = open({ ...given, ...bridgeKeys, type: 'win-overlay', endpointMacPrefix: '0E-2A' });
    expect(opened.json).toEqual({ ...bridge, networkType: 'Overlay', macPrefix: '0E-2A' });
    expect(opened.behavior).toEqual({ ...behavior, exceptOwnSubnets: true });
    expect(opened.ignored).toEqual(ofNetwork);
    expect(['/outboundNat/exceptions/0', '/macPrefix'].map(opened.pathOf)).toEqual([
      '/ipMasqNetwork',
      '/endpointMacPrefix',
    ]);
  });
});

describe('a minimal configuration is translated', () => {
  const minimal = { type: 'win-hcn', name: 'net', endpointPolicies: [] };

  test.each([
    ['sdnbridge', 'L2Bridge', 'never', { preferIpamGateway: 'always' }],
    ['NAT.exe', 'NAT', 'ifMissing', {}],
  ])('from %s', (type, networkType, createNetwork, change) => {
    const { json, behavior: found, ignored } = open({ name: 'net', type, policies: null, optionalFlags: '' });
    expect(json).toEqual({
      ...minimal,
      networkType,
      createNetwork,
      networkPolicies: [],
      portMapping: { localRoutedVip: false, allowAcl: false },
    });
    expect(found).toStrictEqual({ ...behavior, portMappingRuleType: undefined, ...change });
    expect(ignored).toEqual([]);
  });
});

test('an Overlay network of sdnoverlay is not created with a VLAN only', () => {
  const { json } = open({ name: 'net', type: 'sdnoverlay', ipam, policies: [vlan] });
  expect(json).toMatchObject({ createNetwork: 'never' });
  expect(json).not.toHaveProperty('subnets');
});

describe("sdnbridge prefixes the first search domain with the pod's namespace", () => {
  const dnsOf = (dns: unknown, cniArgs: string) =>
    open({ name: 'net', type: 'sdnbridge', dns }, cniArgs).json['dns'];
  const web = 'IgnoreUnknown=1;K8S_POD_NAMESPACE=web';

  test.each([
    [{ search: 'a.b' }, web, { search: 'a.b' }],
    [{ search: ['a.b'] }, 'K8S_POD_NAMESPACE=', { search: ['a.b'] }],
  ])('%j with %s: %j', (dns, cniArgs, expected) => {
    expect(dnsOf(dns, cniArgs)).toEqual(expected);
  });
});

describe('an older policy is translated', () => {
  const translate = (value: object) => {
    const { json, ignored } = open({
      name: 'net',
      type: 'win-bridge',
      policies: [{ name: 'EndpointPolicy', value }],
    });
    return [json['endpointPolicies'], ignored];
  };

  test.each([
    [
      { Type: 'ACL', Protocol: 1, LocalPort: 0, RemotePort: 443, RemotePorts: '' },
      { Type: 'ACL', Settings: { Protocols: '1', RemotePorts: '443' } },
    ],
    [
      { Type: 'OutBoundNAT', ExceptionList: ['10.0.0.0/8'], VIP: '1.2.3.4' },
      { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'], VirtualIP: '1.2.3.4' } },
    ],
    [
      { Type: 'NAT', Protocol: 'TCP', InternalPort: 80, ExternalPort: 8080 },
      { Type: 'PortMapping', Settings: { Protocol: 'TCP', InternalPort: 80, ExternalPort: 8080 } },
    ],
    [
      { Type: 'ROUTE', DestinationPrefix: '10.0.0.0/8', NextHop: '', needencap: true },
      { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.0.0.0/8', NeedEncap: true } },
    ],
    [
      { Type: 'PA', PA: 7 },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: 7 } },
    ],
  ])('%j', (value, policy) => {
    expect(translate(value)).toEqual([[policy], []]);
  });
});
