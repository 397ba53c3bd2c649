// runtimeConfig, args and CNI_ARGS.

import { expect } from 'vitest';
import { type Case, expectOutcome, type Row } from '../case.ts';
import type { Config, Node } from '../node.ts';

/** containerd writes the Go names of its members; podman writes the keys of the convention. */
const containerd = {
  portMappings: [{ HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '' }],
  dns: { Servers: ['10.96.0.10'], Searches: ['a.b'], Options: null },
  bandwidth: { IngressRate: 0, IngressBurst: 0, EgressRate: 8_000_000, EgressBurst: 4_294_967_295 },
  aliases: null,
  mac: '02:00:00:00:00:01',
};
const podman = {
  portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }],
  dns: { servers: ['10.96.0.10'], searches: ['a.b'] },
  bandwidth: { ingressRate: 0, egressRate: 8_000_000, egressBurst: 0 },
  mac: '02-00-00-00-00-01',
};

const mapping = { hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '' };
const tcp = { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080 } };

/** Returns the endpoint policies after an ADD with this runtimeConfig. */
const policiesFor = async ({ cni, hns }: Node, runtimeConfig: Config): Promise<unknown> => {
  expect(await cni({ config: { runtimeConfig } })).toMatchObject({ ok: true });
  return hns.dump().endpoints[0]?.['Policies'] ?? [];
};

const policies = (says: string, runtimeConfig: Config, expected: readonly object[]): Case => ({
  spec: 'conventions',
  says,
  story: async (node) => expect(await policiesFor(node, runtimeConfig)).toMatchObject(expected),
});

const refusedMapping = (changes: Config): Row => {
  const [[member = '', value] = []] = Object.entries(changes);
  return {
    what: `${member} ${JSON.stringify(value)}`,
    config: { runtimeConfig: { portMappings: [{ ...mapping, ...changes }] } },
    becomes: { error: 7, says: [`/runtimeConfig/portMappings/0/${member}`, String(JSON.stringify(value))] },
  };
};

const macOf = (number: number) => `02:00:00:00:00:0${number}`;
const success = { result: { ips: [{ address: '10.5.0.2/24' }] } };

export const capabilityCases: readonly Case[] = [
  {
    spec: 'conventions',
    says: "containerd's capitalized keys equal podman's",
    windows: 'too',
    story: async ({ cni, hns }) => {
      const effects = [];
      for (const runtimeConfig of [containerd, podman]) {
        expect(await cni({ config: { runtimeConfig } })).toMatchObject({ ok: true });
        const [{ Policies, Dns, MacAddress } = {}] = hns.dump().endpoints;
        effects.push({ Policies, Dns, MacAddress });
        await cni({ command: 'DEL', config: { runtimeConfig } });
      }
      const qos = { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1_000_000 } };
      expect(effects[0]).toMatchObject({
        Policies: [tcp, qos],
        Dns: { ServerList: ['10.96.0.10'], Search: ['a.b'] },
        MacAddress: '02-00-00-00-00-01',
      });
      expect(effects[1]).toEqual(effects[0]);
    },
  },
  {
    spec: 'conventions SHOULD',
    says: 'an unsupported port mapping is refused with its member',
    rows: [
      ...[0, -1, 65536, '80', 80.5, null].map((hostPort) => refusedMapping({ hostPort })),
      ...[0, 65536, '80'].map((containerPort) => refusedMapping({ containerPort })),
      ...['sctp', 'icmp', '6', 'xyz'].map((protocol) => refusedMapping({ protocol })),
      refusedMapping({ hostIP: 'x' }),
    ],
  },
  policies(
    'a port mapping may be UDP and on one address',
    { portMappings: [{ ...mapping, protocol: 'udp', hostIP: '127.0.0.1' }] },
    [
      {
        Type: 'PortMapping',
        Settings: { Protocol: 17, InternalPort: 80, ExternalPort: 8080, VIP: '127.0.0.1' },
      },
    ],
  ),
  policies('portMappings null creates no policy', { portMappings: null }, []),
  policies('the same port mapping twice is one policy', { portMappings: [mapping, { ...mapping }] }, [tcp]),
  policies(
    'a bandwidth of zero means unlimited',
    { bandwidth: { ingressRate: 0, ingressBurst: 0, egressRate: 0, egressBurst: 0 } },
    [],
  ),
  {
    spec: 'conventions SHOULD; 5 MUST',
    says: 'an ingress limit is error 2: HCN has none',
    rows: [
      {
        config: { runtimeConfig: { bandwidth: { ingressRate: 10_000_000, ingressBurst: 4_294_967_295 } } },
        becomes: { error: 2, says: ['/runtimeConfig/bandwidth/ingressRate', '10000000'] },
      },
    ],
  },
  {
    spec: 'conventions',
    says: 'aliases are accepted in every format',
    rows: [['web'], { n1: ['web', '52745cb6a84e'] }, null].map((aliases) => ({
      what: JSON.stringify(aliases),
      config: { runtimeConfig: { aliases } },
      becomes: success,
    })),
  },
  {
    spec: 'conventions SHOULD',
    says: 'unknown members of args are accepted',
    rows: [
      { cni: { labels: [{ key: 'app', value: 'web' }] } },
      { cni: { colour: 1 }, other: [] },
      { cni: null },
    ].map((args) => ({ what: JSON.stringify(args), config: { args }, becomes: success })),
  },
  {
    spec: '2',
    says: 'pairs of CNI_ARGS other than IP and MAC may be any text, and are passed on unchanged',
    story: async ({ cni, ipam }) => {
      for (const CNI_ARGS of ['FOO', 'A=b=c', 'A=b;', ';;', '=', 'K8S_POD_NAME=a;OTHER=b']) {
        expect(await cni({ env: { CNI_ARGS } })).toMatchObject({ ok: true });
        expect(ipam.environment('ADD')['CNI_ARGS']).toBe(CNI_ARGS);
        await cni({ command: 'DEL', env: { CNI_ARGS } });
      }
    },
  },
  {
    spec: '5 MUST',
    says: 'an invalid IP or MAC in CNI_ARGS is error 4',
    rows: ['IP=10.5.0', 'MAC=zz'].map((pair) => ({
      what: pair,
      env: { CNI_ARGS: `IgnoreUnknown=1;${pair}` },
      becomes: { error: 4, says: [`CNI_ARGS: ${pair.replace('=', ' is "')}", expected`] },
    })),
  },
  {
    spec: 'conventions MUST',
    says: 'args.cni takes precedence over CNI_ARGS',
    windows: 'too',
    rows: [
      {
        env: { CNI_ARGS: 'IgnoreUnknown=1;IP=10.5.0.9' },
        config: { ipam: undefined, args: { cni: { ips: ['10.5.0.8'] } } },
        becomes: { result: { ips: [{ address: '10.5.0.8/24' }] } },
      },
    ],
  },
  {
    spec: 'conventions',
    says: 'ipRanges require an IPAM plugin',
    story: async (node) => {
      const config = { runtimeConfig: { ipRanges: [[{ subnet: '10.5.0.0/24', rangeStart: '10.5.0.9' }]] } };
      const says = ['/runtimeConfig/ipRanges'];
      await expectOutcome(node, { config: { ...config, ipam: undefined }, becomes: { error: [2, 7], says } });
      await expectOutcome(node, { config, becomes: success });
      expect(node.ipam.stdin('ADD')).toBe(JSON.stringify(node.config(config)));
    },
  },
  {
    spec: 'conventions',
    says: 'mac and ips take effect; Linux-only capabilities are accepted',
    story: async (node) => {
      const linux = { infinibandGUID: 'c2:11:22:33:44:55:66:77', deviceID: '0000:01:00.0', cgroupPath: '/x' };
      const args = { cni: { mac: macOf(2) } };
      const result = { interfaces: [{ name: 'eth0', mac: macOf(1) }] };
      const config = { runtimeConfig: { ...linux, mac: macOf(1) }, args };
      await expectOutcome(node, { config, env: { CNI_ARGS: `MAC=${macOf(3)}` }, becomes: { result } });
    },
  },
];
