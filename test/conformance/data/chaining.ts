// prevResult of ADD.

import { expect } from 'vitest';
import type { Case } from '../case.ts';

const own = {
  interfaces: [{ name: 'eth0', mac: expect.any(String), sandbox: expect.any(String) }],
  routes: [{ dst: '0.0.0.0/0', gw: '10.5.0.1' }],
};
const before = {
  interfaces: [
    { name: 'vEthernet', mac: '00:15:5d:11:22:33', mtu: 1500 },
    { name: 'lo', sandbox: 'x' },
  ],
  ips: [{ address: '127.0.0.1/8', interface: 1 }, { address: 'fd00::9/64' }],
  routes: [{ dst: '10.97.0.0/16', gw: '10.97.0.1', table: 0, scope: 0 }],
  dns: { nameservers: ['10.96.0.10'] },
};

const plain = { result: { ...own, cniVersion: '1.1.0', ips: [{ address: '10.5.0.2/24', interface: 0 }] } };

export const chainingCases: readonly Case[] = [
  {
    spec: '2 MUST',
    says: "the previous result comes first, then win-hcn's",
    windows: 'too',
    story: async ({ cni }) => {
      const config = { prevResult: { cniVersion: '1.1.0', ...before } };
      expect((await cni({ config })).json).toEqual({
        cniVersion: '1.1.0',
        interfaces: [...before.interfaces, ...own.interfaces],
        ips: [...before.ips, { interface: 2, address: '10.5.0.2/24', gateway: '10.5.0.1' }],
        routes: [...before.routes, ...own.routes],
        dns: before.dns,
      });
    },
  },
  {
    spec: '2',
    says: 'the previous result may be in 0.4.0',
    story: async ({ cni }) => {
      const ips = [{ version: '4', address: '127.0.0.1/8', interface: 0, gateway: '127.0.0.1' }];
      const prevResult = { cniVersion: '0.4.0', interfaces: [{ name: 'lo' }], ips, dns: {} };
      expect((await cni({ config: { cniVersion: '0.4.0', prevResult } })).json).toEqual({
        cniVersion: '0.4.0',
        interfaces: [{ name: 'lo' }, ...own.interfaces],
        ips: [...ips, { version: '4', interface: 1, address: '10.5.0.2/24', gateway: '10.5.0.1' }],
        routes: own.routes,
        dns: {},
      });
    },
  },
  {
    says: 'an empty prevResult counts as absent',
    rows: [{}, null].map((prevResult) => ({
      what: JSON.stringify(prevResult),
      config: { prevResult },
      becomes: plain,
    })),
  },
  {
    spec: '5',
    says: 'an invalid prevResult is error 6 or 7',
    rows: [
      'x',
      [],
      { ips: {} },
      { ips: [{ address: '10.0.0.1' }] },
      { ips: [{ gateway: 'x' }] },
      { routes: [{ dst: 'default' }] },
      { interfaces: [{ name: 'a', mtu: '1500' }] },
    ].map((prevResult) => ({
      what: JSON.stringify(prevResult),
      config: { prevResult },
      becomes: { error: [6, 7], says: ['prevResult'] },
    })),
  },
];
