// Finding 3: `collect` left secrets in the zip. Secrets are planted in every file and output that it collects.

import { beforeAll, describe, expect, test } from 'vitest';
import { startInventoryNode } from './inventory-node.ts';
import { encodings, type Planted, plantObjects, plantTexts } from './planted-secrets.ts';
import { readZip } from './read-zip.ts';
import { runCli } from './run-cli.ts';

const scripts = [
  'services',
  'windows',
  'ipconfig',
  'routes',
  'interfaces',
  'ports',
  'events',
  'vfp',
] as const;
const titles: Readonly<Record<string, string>> = {
  services: 'Services',
  windows: 'Windows',
  ipconfig: 'ipconfig /all',
  routes: 'route print',
  interfaces: 'Get-NetAdapter',
  ports: 'netsh interface ipv4 show dynamicport tcp',
  events: 'Host Network Service',
  vfp: 'Ports',
};

/** Where secrets are, with the entry of the zip that has the text around them. */
const places = new Map<string, readonly Planted<unknown>[]>();
function plant<T>(place: string, planted: readonly Planted<T>[]): readonly T[] {
  places.set(place, planted);
  return planted.map(({ value }) => value);
}

const lines = (place: string) => plant(place, plantTexts()).join('\n');
const objects = (place: string) => plant(place, plantObjects());
const own = { type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }], mtu: 1450 };
const configs = 'C:\\etc\\cni\\net.d';

const conflist = JSON.stringify({
  cniVersion: '1.0.0',
  name: 'l2bridge',
  plugins: [
    { ...own, adapter: 'vEthernet (é+)', logFile: 'D:\\logs\\cni.log', args: objects('args of our plugin') },
    {
      ...own,
      logFile: 'D:\\logs\\foreign.log',
      dns: { search: plant('known keys of our plugin', plantTexts()) },
    },
    {
      type: 'calico',
      log_level: 'info',
      vxlan_vni: 4096,
      x: objects('another plugin'),
      acme: ['fd00::1/64'],
    },
    { type: 'azure-vnet', mode: 'bridge', endpoint: plant('known keys of another plugin', plantTexts()) },
  ],
});
const toml = [
  'version = 2',
  'imports = ["C:\\\\k\\\\conf.d\\\\*.toml"]',
  ...plant('comments of config.toml', plantTexts()).flatMap((text) =>
    text.split('\n').map((line) => `# ${line}`),
  ),
  '[plugins."io.containerd.grpc.v1.cri"]',
  '  sandbox_image = "mcr.microsoft.com/oss/kubernetes/pause:3.9"',
  ...plant('unknown keys of config.toml', plantTexts()).map(
    (text, at) => `  x${at} = ${JSON.stringify(text)}`,
  ),
  `  env = [${plant('a list of config.toml', plantTexts()).map((text) => JSON.stringify(text))}]`,
  ...plant('arguments of a program in config.toml', plantTexts()).map(
    (text) => `  args = ["-p", ${JSON.stringify(text)}]`,
  ),
  `  endpoint = [${plant('known keys of config.toml', plantTexts()).map((text) => JSON.stringify(text))}]`,
  '[plugins."io.containerd.grpc.v1.cri".cni]',
  '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
  '  max_conf_num = 1',
].join('\r\n');
const kubeconfig = `apiVersion: v1\nusers:\n- name: a\n  user:\n    token: ${'%'}\n    x: %\n`;

/** A secret for each `%` of a text. */
function fill(place: string, text: string): string {
  let at = 0;
  const secrets = plantTexts();
  places.set(place, secrets.slice(0, text.split('%').length - 1));
  return text.replaceAll('%', () => {
    at += 1;
    return secrets[at - 1]?.secret ?? '';
  });
}

const record = (members: object) =>
  JSON.stringify({ time: '2026-01-01T00:00:00.000Z', request: 'a1', ...members });
const files = {
  'C:\\temp\\old.zip': '',
  'C:\\Program Files\\containerd\\config.toml': toml,
  [`${configs}\\10-win-hcn.conflist`]: conflist,
  [`${configs}\\20-cut.conflist`]: JSON.stringify({
    name: 'cut',
    plugins: objects('a truncated conflist'),
  }).slice(0, -3),
  [`${configs}\\30-utf16.conf`]: Buffer.from(
    `\ufeff${JSON.stringify({ type: 'acme', x: objects('a conflist in UTF-16') })}`,
    'utf16le',
  ),
  [`${configs}\\40-kubeconfig.json`]: fill('a kubeconfig', kubeconfig),
  'D:\\logs\\cni.log': [
    ...objects('documents in the log').map((one) => record({ event: 'call', document: JSON.stringify(one) })),
    ...plant('messages in the log', plantTexts()).map((msg) => record({ event: 'answer', code: 7, msg })),
    record({ event: 'call', call: 'HcnCreateEndpoint', hresult: '0x803b0012', milliseconds: 3.5 }),
    '',
  ].join('\n'),
  'D:\\logs\\foreign.log': fill('a foreign file as the log', 'a %\nx=%\n'),
  'E:\\probe\\probe.log': `${JSON.stringify({ rows: objects('the report of probe') })}\n`,
};

const documents = objects('objects of HCN');
const output: Readonly<Record<string, string>> = Object.fromEntries(
  scripts.map((name) => [name, lines(`the output of ${name}`)]),
);
const processes = fill(
  'command lines',
  [
    'Name        : kubelet',
    'PathName    : "C:\\k\\kubelet.exe" --v=4 --node-ip=10.0.0.4 --acme=% --kubeconfig C:\\k\\config %',
    'CommandLine : C:\\Windows\\system32\\svchost.exe -k NetSvcs -p -s hns',
    'CommandLine : kube-proxy.exe --source-vip 10.244.1.2 --feature-gates=WinDSR=true,WinOverlay=true --config=% -p %',
    'CommandLine : dockerd.exe -s % -k % --name % \\% /%',
    '              run %',
    '',
  ].join('\n'),
);
const settings = fill(
  'settings of HNS',
  '===== HNS settings\nMacPoolStart : 00-15-5D-01-00-00\nAcme : %\nEnabled : 1\n       %\nProxy Server : %\n',
);

function powershell(script: string) {
  const name = scripts.find((one) => script.includes(`"===== ${titles[one]}"`));
  if (name === 'vfp') return { problem: `PowerShell failed: ${output[name]}` };
  const added = { services: processes, windows: settings }[name as string] ?? '';
  return {
    stdout: name === undefined ? '' : `===== ${titles[name]}\nkept 10.244.1.5\n${output[name]}\n${added}`,
  };
}

let entries: Readonly<Record<string, Buffer>>;
beforeAll(async () => {
  const node = await startInventoryNode();
  try {
    const [endpoint] = node.hns.dump().endpoints;
    const planted = Object.assign({}, ...documents.map((one, at) => ({ [`x${at}`]: one })));
    const answer = JSON.stringify({ ...endpoint, ...planted });
    node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 'every', effect: { answer } });
    const { written = {} } = await runCli(['collect', 'C:\\temp\\node.zip'], {
      files,
      powershell,
      environment: { COMPUTERNAME: 'WIN-3' },
      system: { ...node.outside, logFile: 'E:\\probe\\win-hcn.log' },
    });
    entries = Object.fromEntries(
      Object.entries(readZip(written['C:\\temp\\node.zip'] ?? new Uint8Array())).map(([path, bytes]) => [
        path,
        Buffer.from(bytes),
      ]),
    );
  } finally {
    await node.stop();
  }
});

test('secrets are planted in all that collect reads', () => {
  expect([...places.values()].flat().length).toBeGreaterThan(700);
  expect(Object.keys(entries)).toContain('windows/events.txt');
});

describe('no entry of the zip has a secret, or its Base64, URL, JSON or UTF-16 form, from', () => {
  test.each([...places.keys()])('%s', (place) => {
    const left = (places.get(place) ?? []).flatMap(({ form, secret, value }) =>
      Object.entries(entries).flatMap(([path, bytes]) =>
        encodings(secret).some((encoded) => bytes.includes(encoded)) ? [{ form, path, value }] : [],
      ),
    );
    expect(left).toEqual([]);
  });
});

/** The text of an entry, without the replaced values. */
function textOf(path: string, encoding: 'utf8' | 'utf16le' = 'utf8'): string {
  return (entries[path] ?? Buffer.alloc(0)).toString(encoding);
}

describe('the bundle keeps', () => {
  test('the values of win-hcn in a conflist that it knows, and the harmless ones of other plugins', () => {
    const { cniVersion, name, plugins } = JSON.parse(textOf('files/C/etc/cni/net.d/10-win-hcn.conflist'));
    expect({ cniVersion, name }).toEqual({ cniVersion: '1.0.0', name: 'l2bridge' });
    expect(plugins).toMatchObject([
      { ...own, adapter: 'vEthernet (é+)', logFile: 'D:\\logs\\cni.log' },
      { ...own, logFile: 'D:\\logs\\foreign.log' },
      { type: 'calico', log_level: 'info', vxlan_vni: 4096, acme: ['fd00::1/64'] },
      { type: 'azure-vnet', mode: 'bridge' },
    ]);
  });

  test('the encoding of a conflist, and the text of one that is cut', () => {
    expect(JSON.parse(textOf('files/C/etc/cni/net.d/30-utf16.conf', 'utf16le').slice(1)).type).toBe('acme');
    expect(textOf('files/C/etc/cni/net.d/20-cut.conflist')).toMatch(
      /^\{"name":"cut","plugins":\[\{"password":"<redacted>"\}/,
    );
    expect(textOf('files/C/etc/cni/net.d/40-kubeconfig.json')).toBe(
      'apiVersion: v1\nusers:\n- name: a\n  user:\n    token: "<redacted>"\n    x: "<omitted: text of 8 characters>"\n',
    );
  });

  test("versions, images, paths and numbers of containerd's configuration", () => {
    const kept = textOf('files/C/Program Files/containerd/config.toml')
      .split('\r\n')
      .filter((line) => !/<omitted|<redacted/.test(line));
    expect(kept).toEqual([
      'version = 2',
      'imports = ["C:\\\\k\\\\conf.d\\\\*.toml"]',
      '[plugins."io.containerd.grpc.v1.cri"]',
      '  sandbox_image = "mcr.microsoft.com/oss/kubernetes/pause:3.9"',
      '[plugins."io.containerd.grpc.v1.cri".cni]',
      '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
      '  max_conf_num = 1',
    ]);
  });

  test('calls and HRESULTs of the log, and no line of another program', () => {
    const [line, ...others] = textOf('files/D/logs/cni.log')
      .split('\n')
      .filter((one) => one.includes('hresult'));
    expect({ line, others }).toEqual({
      line: record({ event: 'call', call: 'HcnCreateEndpoint', hresult: '0x803b0012', milliseconds: 3.5 }),
      others: [],
    });
    expect(textOf('files/D/logs/foreign.log')).toBe(
      '<omitted: text of 10 characters>\n<omitted: text of 10 characters>\n',
    );
  });

  test('the known arguments of command lines, and the settings of HNS', () => {
    const omitted = '<omitted: text of 8 characters>';
    expect(textOf('windows/services.txt').split('\n').slice(-7)).toEqual([
      'Name        : kubelet',
      `PathName    : "C:\\k\\kubelet.exe" --v=4 --node-ip=10.0.0.4 --acme=${omitted} --kubeconfig C:\\k\\config ${omitted}`,
      'CommandLine : C:\\Windows\\system32\\svchost.exe -k NetSvcs -p -s hns',
      `CommandLine : kube-proxy.exe --source-vip 10.244.1.2 --feature-gates=WinDSR=true,WinOverlay=true --config=${omitted} -p ${omitted}`,
      `CommandLine : dockerd.exe -s ${omitted} -k ${omitted} --name ${omitted} <omitted: text of 9 characters> <omitted: text of 9 characters>`,
      `              <omitted: text of 3 characters> ${omitted}`,
      '',
    ]);
    expect(textOf('windows/windows.txt')).toContain(
      `===== HNS settings\nMacPoolStart : 00-15-5D-01-00-00\nAcme : ${omitted}\nEnabled : 1\n<omitted: text of 15 characters>\nProxy Server : ${omitted}\n`,
    );
  });

  test.each(scripts.filter((name) => name !== 'vfp'))('addresses in the output of %s', (name) => {
    expect(textOf(`windows/${name}.txt`)).toMatch(
      /^===== .*\nkept 10\.244\.1\.5\nproxy is <redacted>@proxy:3128 now\n/,
    );
  });

  test('the documents of HCN', () => {
    const [endpoint] = JSON.parse(textOf('hcn/endpoints.json'));
    expect(endpoint).toMatchObject({
      IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
      MacAddress: '00-15-5D-52-C0-00',
      x21: { Description: 'pull https://<redacted>@reg.example:5000/v2/' },
    });
  });
});
