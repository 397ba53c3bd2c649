import { readDnsSettings } from '../../../src/cni/dns.ts';
import { readResult } from '../../../src/cni/read-result.ts';
import { findCniArg, parseNamespaceId, readRequest } from '../../../src/cni/request.ts';
import { renderResult } from '../../../src/cni/result.ts';
import { decodeText, normalizeSpaces, parseJsonObject } from '../../../src/cni/text.ts';
import { readVersion } from '../../../src/cni/version.ts';
import {
  keepSourceVip,
  readCreateNetwork,
  readIpamType,
  readLogFile,
  readName,
  readTimeout,
  readValidAttachments,
} from '../../../src/config/essential-keys.ts';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { delegateAdd, delegateCommand } from '../../../src/ipam/delegate.ts';
import { parseObject } from '../../../src/json/members.ts';
import { parseAddress } from '../../../src/net/address.ts';
import { formatMac, parseMac, parseUnicastMac } from '../../../src/net/mac.ts';
import { parseSubnet } from '../../../src/net/overlaps.ts';
import { canonicalPrefix, parsePrefix } from '../../../src/net/prefix.ts';
import { example } from '../../e2e/example.ts';
import { objectIn, type Parser, textOf } from './parser.ts';

const executable = 'C:\\opt\\cni\\bin\\win-hcn.exe';
const environments = [
  {
    CNI_COMMAND: 'ADD',
    CNI_CONTAINERID: 'c0ffee',
    CNI_IFNAME: 'eth0',
    CNI_NETNS: 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444',
    CNI_ARGS: 'IgnoreUnknown=1;K8S_POD_NAME=web;IP=10.244.1.5',
  },
  { CNI_COMMAND: 'GC', CNI_PATH: '/opt/cni/bin' },
];
const results = [
  {
    cniVersion: '1.1.0',
    interfaces: [{ name: 'eth0', mac: '00:15:5d:0a:0b:0c', sandbox: 'x', mtu: 1400 }],
    ips: [{ interface: 0, address: '10.244.1.5/24', gateway: '10.244.1.1' }],
    routes: [{ dst: '0.0.0.0/0', gw: '10.244.1.1', mtu: 1400, priority: 5 }],
    dns: { nameservers: ['10.96.0.10'], domain: 'a', search: ['b'], options: ['c'] },
  },
  {
    cniVersion: '0.2.0',
    ip4: { ip: '10.244.1.5/24', gateway: '10.244.1.1', routes: [{ dst: '0.0.0.0/0' }] },
    ip6: { ip: 'fd00::5/64' },
    dns: {},
  },
].map((one) => JSON.stringify(one));

const configurations = [
  example('l2bridge', {
    runtimeConfig: {
      portMappings: [{ hostPort: 80, containerPort: 80, hostIP: '::' }],
      dns: { servers: ['10.96.0.10'], searches: ['a.b'], options: [] },
      bandwidth: { egressRate: 8 },
      ips: ['10.244.1.5/24'],
      mac: '02:00:00:00:00:01',
    },
    prevResult: JSON.parse(results[0] ?? ''),
    'cni.dev/valid-attachments': [{ containerID: 'c0ffee', ifname: 'eth0' }],
  }),
  example('overlay'),
  {
    cniVersion: '0.2.0',
    name: 'cbr0',
    type: 'sdnbridge',
    ipam: { subnet: '10.244.1.0/24', routes: [{ GW: '10.244.1.2' }] },
    dns: { Nameservers: ['10.96.0.10'], Search: ['svc.cluster.local'] },
    AdditionalArgs: [
      { Name: 'EndpointPolicy', Value: { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } } },
    ],
  },
  {
    cniVersion: '0.2.0',
    name: 'flannel.4096',
    type: 'win-overlay',
    ipMasq: true,
    endpointMacPrefix: '0E-2A',
    ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
    policies: [
      {
        name: 'EndpointPolicy',
        value: { Type: 'ROUTE', DestinationPrefix: '10.96.0.0/12', NeedEncap: true },
      },
    ],
  },
].map((one) => JSON.stringify(one));

const plugin = (exitCode: number, bytes: Uint8Array) => ({
  type: 'host-local',
  path: '/opt/cni/bin/host-local',
  environment: {},
  stdin: '{}',
  spawn: async () => ({ exitCode, stdout: textOf(bytes) }),
});

const essential = 'src/config/essential-keys.ts';

/** Readers of what a runtime, an administrator and other plugins write. */
export const cniParsers: readonly Parser[] = [
  {
    reads: 'the environment of a request',
    functions: { 'src/cni/request.ts': ['readRequest', 'parseNamespaceId', 'findCniArg'] },
    samples: environments.map((one) => JSON.stringify(one)),
    read: (bytes) => {
      const text = textOf(bytes);
      const variables = Object.entries(objectIn(text)).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      return [parseNamespaceId(text), findCniArg(text, 'IP'), readRequest(Object.fromEntries(variables))];
    },
  },
  {
    reads: 'the configuration on stdin',
    functions: {
      'src/cni/text.ts': ['decodeText', 'normalizeSpaces', 'parseJsonObject'],
      'src/config/read-config.ts': ['readNetworkConfig', 'readKeys'],
      'src/config/network-keys.ts': ['readNetworkKeys'],
      'src/config/endpoint-keys.ts': ['readEndpointKeys'],
      'src/config/attachment-config.ts': ['readAttachmentConfig', 'readRuntimeDns'],
      'src/config/policy-settings.ts': ['readEndpointPolicies', 'readNetworkPolicies'],
      'src/config/remote-subnets.ts': ['readRemoteSubnets'],
      'src/cni/dns.ts': ['readDnsSettings'],
    },
    samples: configurations,
    read: (bytes) => {
      const json = parseJsonObject(normalizeSpaces(decodeText(bytes)), 'stdin');
      const opened = openConfig(json, executable, 'K8S_POD_NAMESPACE=shop');
      return readNetworkConfig(opened.json, {}, opened);
    },
  },
  {
    reads: 'the keys of a configuration that DEL and GC need',
    functions: {
      [essential]: [
        ...['readName', 'readIpamType', 'readTimeout', 'readCreateNetwork', 'readLogFile'],
        'readValidAttachments',
      ],
      'src/cni/version.ts': ['readVersion'],
    },
    samples: configurations,
    read: (bytes) => {
      const json = parseJsonObject(decodeText(bytes), 'stdin');
      const gc = keepSourceVip(json, textOf(bytes));
      const lenient = [gc, readIpamType(json), readTimeout(json), readCreateNetwork(json), readLogFile(json)];
      return [...lenient, readName(json), readVersion(json['cniVersion']), readValidAttachments(json, 'n')];
    },
  },
  {
    reads: 'prevResult',
    functions: {
      'src/cni/read-result.ts': ['readResult'],
      'src/json/members.ts': ['parseObject', 'parseJson'],
    },
    samples: results,
    read: (bytes) => renderResult(readResult(parseObject(textOf(bytes)), 'prevResult'), '1.1.0'),
  },
  {
    reads: "the IPAM plugin's addresses",
    functions: { 'src/ipam/delegate.ts': ['delegateAdd'] },
    samples: results,
    read: async (bytes) => {
      const { dns, ...result } = await delegateAdd(plugin(0, bytes));
      return [result, readDnsSettings(dns, () => undefined)];
    },
  },
  {
    reads: "the IPAM plugin's error",
    functions: { 'src/ipam/delegate.ts': ['delegateCommand'] },
    samples: ['{"cniVersion":"1.0.0","code":11,"msg":"full","details":"of 10.244.1.0/24"}', 'panic: x'],
    read: (bytes) => delegateCommand(plugin(1, bytes), 'DEL'),
  },
  {
    reads: 'addresses, prefixes and MAC addresses',
    functions: {
      'src/net/address.ts': ['parseAddress'],
      'src/net/prefix.ts': ['parsePrefix'],
      'src/net/mac.ts': ['parseMac', 'parseUnicastMac'],
      'src/net/overlaps.ts': ['parseSubnet'],
    },
    samples: ['10.244.1.5', '10.244.1.0/24', 'fd00:10:244::5/64', '::ffff:10.0.0.1/120', '00-15-5D-52-C0-01'],
    read: (bytes) => {
      const text = textOf(bytes);
      return [
        parseAddress(text),
        parsePrefix(text),
        parseSubnet(text),
        canonicalPrefix(text),
        parseMac(text),
        parseUnicastMac(text),
        formatMac(text),
      ];
    },
  },
];
