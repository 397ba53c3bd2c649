// Cases of CHECK.

import { expect } from 'vitest';
import { hcnClient } from '../../../src/hcn/client.ts';
import { type Case, expectRefusal } from '../case.ts';
import type { Config, Node } from '../node.ts';

const nat = { outboundNat: { exceptions: ['10.0.0.0/8'] } };
const hcnOf = ({ hns }: Node) => hcnClient(hns.withoutDlls().library);
const idOf = ({ hns }: Node): string => String(hns.dump().endpoints[0]?.['ID']);

/** Runs ADD, changes the endpoint or the result, and runs CHECK. */
const checked = async (
  node: Node,
  between: (node: Node) => unknown,
  change: (result: Config) => Config = (result) => result,
  config: Config = nat,
) => {
  const added = await node.cni({ config });
  expect(added).toMatchObject({ ok: true });
  await between(node);
  return node.cni({ command: 'CHECK', config: { ...config, prevResult: change(added.json) } });
};

const passes = (says: string, change: (result: Config) => Config): Case => ({
  spec: '2 MUST',
  says,
  story: async (node) => {
    expect(await checked(node, () => undefined, change)).toMatchObject({ ok: true, stderr: '' });
  },
});

const finds = (
  what: string,
  text: string,
  between: (node: Node) => unknown,
  change?: (result: Config) => Config,
): Case => ({
  spec: '2 SHOULD',
  says: `CHECK reports that ${what}`,
  story: async (node) => expectRefusal(await checked(node, between, change), 102, text),
});

export const checkCases: readonly Case[] = [
  ...['0.4.0', '1.0.0', '1.1.0'].map(
    (cniVersion): Case => ({
      spec: '2 MUST',
      says: 'CHECK right after ADD succeeds',
      what: cniVersion,
      windows: 'too',
      story: async (node) => {
        const config = { ...nat, cniVersion };
        expect(await checked(node, () => undefined, undefined, config)).toMatchObject({ ok: true });
      },
    }),
  ),
  {
    spec: '2 MUST',
    says: 'CHECK without prevResult is error 7',
    rows: [{ command: 'CHECK', becomes: { error: 7, says: ['/prevResult'] } }],
  },
  passes('CHECK accepts additions of later plugins', (result) => ({
    ...result,
    interfaces: [{ name: 'veth1' }, ...(result['interfaces'] as object[]), { name: 'tun0', sandbox: 'x' }],
    ips: [
      { address: '192.168.0.1/24', interface: 0 },
      ...(result['ips'] as object[]).map((ip) => ({ ...ip, interface: 1 })),
    ],
    routes: [{ dst: '10.97.0.0/16', gw: '10.5.0.9' }],
    dns: { nameservers: ['10.96.0.99'], search: ['later'] },
  })),
  {
    ...passes('CHECK ignores routes', ({ routes, ...result }) => ({
      ...result,
      routes: [...(routes as object[]), { dst: '10.97.0.0/16', gw: '10.5.0.1' }],
    })),
    spec: '2 SHOULD',
    deviation: {
      requires: 'CHECK fails if a route is missing',
      because: 'a later plugin may change routes',
    },
  },
  finds('the endpoint is gone', 'c1_n1_eth0', (node) => hcnOf(node).deleteEndpoint(idOf(node))),
  finds('the endpoint is not attached', 'the endpoint is in no namespace', (node) =>
    hcnOf(node).removeEndpoint(node.netns, idOf(node)),
  ),
  finds('a policy differs', 'OutBoundNAT', async (node) => {
    const { library } = node.hns.withoutDlls();
    const { value } = await library.open('Endpoint', idOf(node));
    const Policies = [{ Type: 'OutBoundNAT', Settings: { Exceptions: ['10.200.0.0/16'] } }];
    const request = { RequestType: 'Update', ResourceType: 'Policy', Settings: { Policies } };
    expect(await library.modify(value, JSON.stringify(request))).toMatchObject({ hresult: 0 });
  }),
  {
    spec: '2 SHOULD',
    says: "CHECK passes on the IPAM plugin's error",
    story: async ({ cni, ipam }) => {
      const added = await cni();
      const config = { prevResult: added.json };
      expect(await cni({ command: 'CHECK', config })).toMatchObject({ ok: true });
      ipam.answer('CHECK', '{"code":110,"msg":"no lease","details":"d"}', 1);
      const answer = await cni({ command: 'CHECK', config });
      expect(answer.json).toEqual({ cniVersion: '1.1.0', code: 110, msg: 'no lease', details: 'd' });
      expect(ipam.calls).toEqual(['ADD', 'CHECK', 'CHECK']);
    },
  },
  {
    spec: '2 MUST',
    says: 'CHECK accepts the result format of 0.4.0',
    story: async (node) => {
      const config = { cniVersion: '0.4.0' };
      const withoutVersion = ({ cniVersion: _, ...result }: Config) => result;
      const added = await checked(node, () => undefined, withoutVersion, config);
      expect(added).toMatchObject({ ok: true });
    },
  },
];
