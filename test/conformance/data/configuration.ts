// The configuration and CNI versions.

import { expect } from 'vitest';
import type { Case, Row } from '../case.ts';
import { supportedVersions } from './process.ts';

const refusedConfig = (
  config: Row['config'] & object,
  error: number | readonly number[],
  ...says: string[]
): Row => ({
  what: JSON.stringify(config),
  config,
  becomes: { error, says },
});

const success = { result: { ips: [{ address: '10.5.0.2/24' }] } };
const legacy = { cniVersion: '0.1.0', ip4: { ip: '10.5.0.2/24', gateway: '10.5.0.1' }, dns: {} };

/** Keys of the runtime, and extension keys, that win-hcn must not refuse. */
const notOurs = {
  capabilities: { portMappings: true, dns: true },
  cniVersions: ['1.0.0', '1.1.0'],
  disableCheck: true,
  disableGC: 'false',
  loadOnlyInlinedPlugins: false,
  plugins: [],
  args: { labels: [{ key: 'app', value: 'web' }], anything: 1 },
  'cni.dev/attachments': [],
  'x-note': { deep: [1] },
};

export const configurationCases: readonly Case[] = [
  {
    spec: '1; 5',
    says: 'a missing name is error 7',
    rows: [undefined, '', null].map((name) => ({
      what: String(JSON.stringify(name)),
      config: { name },
      becomes: { error: 7, says: ['missing network name'] },
    })),
  },
  {
    spec: '1 MUST',
    says: 'an invalid name is error 7',
    rows: ['../x', 'a/b', 'a\\b', 'a b', '-a'].map((name) =>
      refusedConfig({ name }, 7, JSON.stringify(name)),
    ),
  },
  {
    spec: '5',
    says: 'a name that is not a string is error 6',
    rows: [refusedConfig({ name: 1 }, 6, '/name')],
  },
  {
    spec: 'skel',
    says: 'a missing cniVersion is 0.1.0',
    rows: [undefined, '', null].map((cniVersion) => ({
      what: String(JSON.stringify(cniVersion)),
      config: { cniVersion },
      becomes: { result: legacy },
    })),
  },
  {
    spec: '5',
    says: 'a cniVersion that is not a string is error 6',
    rows: [
      refusedConfig({ cniVersion: 1 }, 6, 'cniVersion'),
      refusedConfig({ cniVersion: {} }, 6, 'cniVersion'),
    ],
  },
  {
    spec: '5',
    says: 'an unsupported version is error 1',
    rows: ['9.9.9', '1.2.0', '1.0', 'v1.0.0', '0.5.0', ' 1.0.0'].map((cniVersion) =>
      refusedConfig({ cniVersion }, 1, JSON.stringify(cniVersion), ...supportedVersions),
    ),
  },
  {
    spec: 'skel',
    says: 'CHECK is error 1 before 0.4.0',
    rows: ['0.1.0', '0.2.0', '0.3.0', '0.3.1'].map((cniVersion) => ({
      ...refusedConfig({ cniVersion }, 1, cniVersion, 'CHECK'),
      command: 'CHECK',
    })),
  },
  {
    spec: 'skel',
    says: 'GC and STATUS are error 1 before 1.1.0',
    rows: ['GC', 'STATUS'].flatMap((command) =>
      ['0.4.0', '1.0.0'].map((cniVersion) => ({
        ...refusedConfig({ cniVersion, 'cni.dev/valid-attachments': [] }, 1, cniVersion, command),
        what: `${command} in ${cniVersion}`,
        command,
      })),
    ),
  },
  {
    says: 'CHECK in an invalid version is error 1 (skel: 6)',
    rows: ['abc', '1.0.0.0'].map((cniVersion) => ({
      ...refusedConfig({ cniVersion }, 1, JSON.stringify(cniVersion)),
      command: 'CHECK',
    })),
  },
  {
    spec: '5',
    says: 'a wrong type is refused with its path',
    rows: [
      refusedConfig({ ipam: 'host-local' }, [6, 7], '/ipam'),
      refusedConfig({ dns: { nameservers: '10.96.0.10' } }, [6, 7], '/dns/nameservers'),
      refusedConfig({ capabilities: ['dns'] }, [6, 7], '/capabilities'),
      refusedConfig({ endpointPolicies: {} }, [6, 7], '/endpointPolicies'),
      refusedConfig({ subnets: '10.5.0.0/24' }, [6, 7], '/subnets'),
      refusedConfig({ networkType: 1 }, [6, 7], '/networkType'),
      refusedConfig({ runtimeConfig: 'x' }, [6, 7], '/runtimeConfig'),
    ],
  },
  {
    spec: '1',
    says: 'keys for the runtime are ignored',
    rows: Object.entries(notOurs).map(([key, value]) => ({
      what: key,
      config: { [key]: value },
      becomes: success,
    })),
  },
  {
    spec: '1 MAY; 5 MUST',
    says: 'an unknown key is error 2 (skel ignores it)',
    rows: [
      refusedConfig({ colour: 'red' }, 2, '/colour', '"red"'),
      refusedConfig({ subnet: [] }, 2, '/subnet ', '[]', 'did you mean "subnets"?'),
      refusedConfig({ dns: { servers: ['10.96.0.10'] } }, 2, '/dns/servers'),
    ],
  },
  {
    says: 'DEL, GC and VERSION ignore unknown keys',
    story: async ({ cni, ipam, endpointNames }) => {
      const config = { colour: 'red', 'cni.dev/valid-attachments': null };
      expect(await cni({ command: 'VERSION', config })).toMatchObject({ ok: true });
      await cni();
      expect(await cni({ command: 'DEL', config })).toMatchObject({ ok: true });
      expect(ipam.leases).toEqual({});
      await cni();
      expect(await cni({ command: 'GC', config })).toMatchObject({ ok: true });
      expect(endpointNames()).toEqual([]);
    },
  },
  {
    spec: '1; 5',
    says: 'an invalid nameserver is error 7',
    rows: [refusedConfig({ dns: { nameservers: ['1.1.1.1', '::1', 'x'] } }, 7, '/dns/nameservers/2', '"x"')],
  },
  {
    spec: '5 SHOULD',
    says: "errors have the configuration's version, or the latest",
    story: async ({ cni }) => {
      const old = await cni({ config: { cniVersion: '0.4.0', colour: 'red' } });
      const none = await cni({ stdin: 'hello' });
      const future = await cni({ config: { cniVersion: '9.9.9' } });
      const versions = [old, none, future].map(({ json }) => json.cniVersion);
      expect(versions).toEqual(['0.4.0', '1.1.0', '1.1.0']);
    },
  },
];
