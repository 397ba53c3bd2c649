// Names of variables on Windows, and the search for an IPAM plugin.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { suitePrefix } from '../../windows/suite.ts';
import { type Case, expectRefusal, type Row } from '../case.ts';
import { Ipam } from '../ipam.ts';

const pathLike = ['../bin/echo', 'sub/echo', 'sub\\echo', 'C:echo', '..', '.', '/bin/echo', 'a b', ' '];

const refusedType = (type: unknown): Row => ({
  what: JSON.stringify(type),
  config: { ipam: { type } },
  becomes: { error: [6, 7], says: ['/ipam/type', JSON.stringify(type)] },
});

export const lookupCases: readonly Case[] = [
  {
    says: 'names of variables are case-insensitive',
    windows: 'only',
    story: async ({ cni, endpointNames }) => {
      const env = {
        CNI_IFNAME: undefined,
        cni_ifname: 'eth7',
        CNI_CONTAINERID: undefined,
        Cni_ContainerId: 'c7',
      };
      expect(await cni({ env })).toMatchObject({ ok: true, json: { interfaces: [{ name: 'eth7' }] } });
      expect(endpointNames()).toEqual(['c7_n1_eth7']);
    },
  },
  {
    says: 'CNI_PATH may have empty entries and spaces',
    story: async (node) => {
      const { cni, ipam, endpointNames } = node;
      const spaced = new Ipam(join(ipam.folder, 'Program Files'), 'spaced-ipam');
      mkdirSync(join(ipam.folder, 'nothing'));
      const CNI_PATH = `:${join(ipam.folder, 'nothing')}::${spaced.folder}/:`;
      const config = { ipam: { type: spaced.type } };
      expect(await cni({ env: { CNI_PATH }, config })).toMatchObject({ ok: true });
      expect(spaced.calls).toEqual(['ADD']);
      const package_ = await cni({ env: { CNI_PATH: ':' }, config: { ipam: { type: 'package.json' } } });
      expectRefusal(package_, 7, 'package.json');
      expect(endpointNames()).toEqual(['c1_n1_eth0']);
    },
  },
  {
    says: 'folders of CNI_PATH may be quoted and have forward slashes',
    windows: 'only',
    story: async ({ cni, endpointNames }) => {
      const config = { ipam: { type: 'hostname' } };
      const found = 'hostname" is not JSON';
      suitePrefix().install(suitePrefix().hostPath('C:\\windows\\system32\\hostname.exe'), 'C:\\cni;b');
      for (const CNI_PATH of [
        '"C:\\cni;b";C:\\opt\\cni\\bin',
        ';"C:\\windows\\system32"',
        'c:/windows/system32',
      ]) {
        const answer = await cni({ env: { CNI_PATH }, config });
        expectRefusal(answer, 6, found);
      }
      expect(endpointNames()).toEqual([]);
    },
  },
  {
    spec: '1 MUST',
    says: 'an ipam.type that is not a bare name is refused',
    rows: [...pathLike, 1, true, ['test-ipam']].map(refusedType),
  },
  {
    says: 'HNS assigns addresses without ipam.type',
    rows: [
      { what: 'empty', config: { ipam: { type: '', subnet: '10.5.0.0/24', routes: [{ GW: '10.5.0.1' }] } } },
      { what: 'no type', config: { ipam: { routes: [{ gateway: '10.5.0.1' }] } } },
      { what: 'null', config: { ipam: { type: null } } },
      { what: 'no ipam', config: { ipam: undefined } },
    ].map((row) => ({
      ...row,
      becomes: { result: { ips: [{ address: '10.5.0.2/24', gateway: '10.5.0.1' }] } },
    })),
  },
  {
    says: 'an ipam.type that is win-hcn itself is refused',
    windows: 'only',
    rows: [
      { what: 'its own type', config: { ipam: { type: 'win-hcn' } } },
      { what: 'in other letter case', config: { ipam: { type: 'WIN-HCN' } } },
      { what: 'as a delegate of another type', config: { type: 'flannel', ipam: { type: 'win-hcn' } } },
    ].map((row) => ({ ...row, becomes: { error: 7, says: ['/ipam/type', 'itself'] } })),
  },
];
