// Secrets are planted in everything that `collect` reads, and searched in its zip.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hresultOf } from '../../../src/hcn/hresults.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { readZip } from './read-zip.ts';
import { runCli } from './run-cli.ts';

let planted = 0;
/** A new secret. */
function secret(): string {
  planted += 1;
  return `Zq${String(planted).padStart(4, '0')}kV`;
}

/** Members that contain a secret each, under unknown names and in texts that are no names under known ones. */
function members(): Readonly<Record<string, unknown>> {
  return {
    password: secret(),
    acme: { name: secret(), list: [secret(), 'x'] },
    args: { cni: secret() },
    runtimeConfig: { mac: secret() },
    adapter: `http://me:${secret()}@proxy:3128/`,
    logFile: `https://a.example/b?sig=${secret()}`,
    dns: { search: [`Server=db;Password=${secret()}`, `<a b="${secret()}"/>`], [`k=${secret()}`]: true },
    Policies: [{ Type: 'PresharedKey', Settings: { Key: secret() } }],
  };
}

const omitted = '<omitted>';
/** What remains of `members`. */
const clean = {
  password: omitted,
  acme: omitted,
  args: omitted,
  runtimeConfig: omitted,
  adapter: omitted,
  logFile: omitted,
  dns: { search: [omitted, omitted], [omitted]: true },
  Policies: [{ Type: 'PresharedKey', Settings: { Key: omitted } }],
};

const own = { type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }], mtu: 1450 };
const hostLocal = (dataDir: string) => ({ type: 'host-local', dataDir });
const calico = { type: 'calico', log_level: 'info', vxlan_vni: 4096, x: true, y: ['a'], z: 'fd00::/64' };
const record = (fields: object) =>
  JSON.stringify({ time: '2026-01-01T00:00:00.000Z', request: 'a1', ...fields });
const call = { event: 'call', call: 'HcnCreateEndpoint', hresult: '0x803b0012', milliseconds: 3.5 };
const kept = { id: 'c0ffee', error: 'HNS said "no"', errorRecord: '{"Error":"no"}' };

const files = {
  'C:\\temp\\old.zip': '',
  'C:\\Program Files\\containerd\\config.toml': [
    `# ${secret()}`,
    'version = 2',
    `[plugins."io.containerd.grpc.v1.cri".registry.configs.r.auth]\npassword = "${secret()}"`,
    `[plugins."io.containerd.grpc.v1.cri".cni]\nconf_dir = 'C:\\etc\\cni\\net.d'\nconf_template = "${secret()}"`,
  ].join('\n'),
  'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': JSON.stringify({
    cniVersion: '1.0.0',
    name: 'l2bridge',
    plugins: [
      { ...own, ...members(), logFile: 'D:\\logs\\cni.log', ipam: hostLocal(`C:/x?sig=${secret()}`) },
      { ...calico, ...members() },
    ],
  }),
  'C:\\etc\\cni\\net.d\\20-cut.conflist': `{"name": "${secret()}`,
  'C:\\etc\\cni\\net.d\\30-utf16.conf': Buffer.from(
    `\ufeff${JSON.stringify({ type: 'acme', ...members() })}`,
    'utf16le',
  ),
  'C:\\etc\\cni\\net.d\\40-kubeconfig.json': `users:\n- user:\n    token: ${secret()}\n`,
  'D:\\logs\\cni.log': [
    record({ ...call, ...kept, document: JSON.stringify({ Name: 'web', ...members() }) }),
    record({ event: 'answer', code: 7, msg: 'invalid', acme: secret() }),
    record({ event: 'acme', msg: secret() }),
    JSON.stringify({ event: 'answer', msg: secret() }),
    secret(),
    `{"event":"answer","request":"a1","msg":"${secret()}`,
  ].join('\n'),
};

const powershell = () => ({ stdout: '===== ...\n' });

let node: InventoryNode;
let entries: Readonly<Record<string, string>>;
beforeEach(async () => {
  node = await startInventoryNode();
  const [endpoint] = node.hns.dump().endpoints;
  const answer = JSON.stringify({ ...endpoint, ...members() });
  node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer } });
  node.hns.inject({
    function: 'HNSCall',
    ordinal: 3,
    effect: { answer: JSON.stringify({ Output: [members()] }) },
  });
  const { written = {} } = await runCli(['collect', 'C:\\temp\\node.zip'], {
    files,
    powershell,
    environment: { COMPUTERNAME: 'WIN-3' },
    system: node.outside,
  });
  const [zip = new Uint8Array()] = Object.values(written);
  entries = Object.fromEntries(Object.entries(readZip(zip)).map(([path, bytes]) => [path, String(bytes)]));
});
afterEach(() => node.stop());

test('no entry of the zip has a secret', () => {
  const found = Object.entries(entries).filter(([, text]) => /Zq\d{4}kV/.test(text));
  expect(found).toEqual([]);
  expect(planted).toBeGreaterThan(50);
});

describe('the bundle keeps', () => {
  test('the values of known names in a conflist, and addresses and booleans of all names', () => {
    expect(JSON.parse(entries['cni/10-win-hcn.conflist'] ?? '')).toEqual({
      cniVersion: '1.0.0',
      name: 'l2bridge',
      plugins: [
        { ...own, ...clean, logFile: 'D:\\logs\\cni.log', ipam: hostLocal(omitted) },
        { ...calico, ...clean, y: omitted },
      ],
    });
    expect(JSON.parse(entries['cni/30-utf16.conf'] ?? '')).toEqual({
      type: 'acme',
      ...clean,
    });
  });

  test('the records of the log', () => {
    const records = entries['logs/cni.log']?.trim().split('\n') ?? [];
    expect(records.map((line) => JSON.parse(line))).toEqual([
      JSON.parse(record({ ...call, ...kept, document: { Name: 'web', ...clean } })),
      JSON.parse(record({ event: 'answer', code: 7, msg: 'invalid', acme: omitted })),
    ]);
  });

  test('the documents of HCN and HNS', () => {
    const { endpoints } = JSON.parse(entries['hcn.json'] ?? '');
    expect(endpoints[0].Policies).toEqual(clean.Policies);
    expect(JSON.parse(entries['hns/networks.json'] ?? '')).toEqual({ Output: [clean] });
    const { Output } = JSON.parse(entries['hns/endpoints.json'] ?? '');
    expect(JSON.stringify(Output)).not.toContain(omitted);
  });
});

test('a replaced password is also replaced in other texts', async () => {
  node.hns.clearFaults();
  node.hns.inject({ ordinal: 'every', effect: { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') } });
  const { written = {} } = await runCli(['collect', 'C:\\temp\\node.zip'], {
    files: {
      'C:\\temp\\old.zip': '',
      'C:\\Program Files\\containerd\\cni\\conf\\10.conflist':
        '{"password": "hunter\\"2", "token": "short", "acme": "harmless word"}',
    },
    powershell: () => ({ problem: 'PowerShell failed: hunter"2, hunter\\"2, short, harmless word' }),
    system: node.outside,
  });
  const [zip = new Uint8Array()] = Object.values(written);
  expect(String(readZip(zip)['README.txt'])).toContain(
    'events: PowerShell failed: <omitted>, <omitted>, short, harmless word\n',
  );
});
