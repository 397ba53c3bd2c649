import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../src/cli/containerd/config.ts';
import { containerd, plugins, validConf, winningConf } from '../../../../src/cli/doctor/checks/conflist.ts';
import { identifyConfs } from '../../../../src/cli/doctor/runtime.ts';
import type { Snapshot } from '../../../../src/cli/doctor/snapshot.ts';
import { endpointId } from '../../../../src/model/identity.ts';
import { confFile, configured, diagnosed, endpoint, node, second, snapshot } from './snapshot.ts';

const ours = confFile('10-pods.conflist', {
  cniVersion: '1.1.0',
  name: 'pods',
  plugins: [{ type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] }],
});
const azure = confFile('10-azure.conflist', { name: 'azure', plugins: [{ type: 'azure-vnet' }] });
const nat = confFile('0-containerd-nat.conf', { name: 'nat', type: 'nat' });
const broken = confFile('00-broken.conflist', '{');

type Given = Partial<Omit<Snapshot['configuration'], 'files'>> &
  Partial<Pick<Snapshot, 'files'>> & { readonly maxConfNum?: number };

function inFolder(
  confs: readonly (typeof ours)[],
  { maxConfNum = 1, files = { error: 'not queried' }, programs = {}, ...given }: Given = {},
): Snapshot {
  const { containerd: runtime, configuration, executable } = snapshot();
  const used = identifyConfs(confs, { executable, programs, files });
  return snapshot({
    containerd: { ...runtime, folders: { ...runtime.folders, maxConfNum } },
    configuration: { ...configuration, files: { value: confs }, programs, ...used, ...given },
    files,
  });
}

const denied = 'cannot list C:\\etc\\cni\\net.d: permission denied';
const noFolder = 'cannot list C:\\etc\\cni\\net.d: no such folder';

/** Azure's file before win-hcn's, with a pod on each network. */
function withPods(names: readonly string[], isOwn = true): Snapshot {
  const namespace = '3a6e8c1d-5b7f-4920-8d4e-6f1a2b3c4d5e';
  const networks = names.map((name) => second('L2Bridge', { name }));
  const endpoints = networks.map(({ ID, Name: network }, index) => {
    const attachment = { containerId: `pod${index}`, ifname: 'eth0', network };
    return endpoint(String(index), {
      ...(isOwn && { ID: endpointId(attachment) }),
      Name: `pod${index}_${network}${isOwn ? '_eth0' : ''}`,
      HostComputeNetwork: ID,
      HostComputeNamespace: namespace,
    });
  });
  return { ...node({ networks, endpoints }), configuration: inFolder([azure, ours]).configuration };
}

function withoutFolder(given: Partial<Snapshot> = {}, error = noFolder): Snapshot {
  const files = { error };
  return snapshot({ configuration: { ...snapshot().configuration, files }, ...given });
}

describe('the active configuration', () => {
  test.each<[string, Snapshot, string]>([
    [
      'win-hcn before others',
      inFolder([ours, azure]),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn; ignored: 10-azure.conflist',
    ],
    [
      'win-hcn before others that containerd uses',
      inFolder([ours, azure, nat], { maxConfNum: 2 }),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn; others (max_conf_num is 2): 10-azure.conflist, 0-containerd-nat.conf',
    ],
    [
      'another plugin before win-hcn',
      inFolder([azure, ours]),
      'WARN C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist (endpoints of pods that are not win-hcn\'s on "pods": 0): delete the file that this node does not need | see: win-hcn ls pods',
    ],
    [
      'another plugin before win-hcn, which has all pods',
      withPods(['pods']),
      'FAIL C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist | fix: Rename-Item C:\\etc\\cni\\net.d\\10-azure.conflist 10-azure.conflist.off',
    ],
    [
      "another plugin before win-hcn, with pods on win-hcn's network",
      withPods(['pods'], false),
      'WARN C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist (endpoints of pods that are not win-hcn\'s on "pods": 1): delete the file that this node does not need | see: win-hcn ls pods',
    ],
    [
      'another plugin with pods before win-hcn',
      withPods(['pods', 'azure']),
      'WARN C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist (endpoints of pods that are not win-hcn\'s on "pods": 1): delete the file that this node does not need | see: win-hcn ls pods',
    ],
    [
      'another plugin alone',
      inFolder([azure]),
      'PASS C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; no file configures win-hcn: nothing is compared with a configuration',
    ],
    [
      'another plugin before an invalid file',
      inFolder([azure, broken]),
      'PASS C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; no valid file configures win-hcn: nothing is compared with a configuration',
    ],
    [
      'an invalid file before win-hcn',
      inFolder([broken, ours]),
      'FAIL C:\\etc\\cni\\net.d\\00-broken.conflist: line 1, column 2: invalid JSON at "end of file": close brace expected: containerd cannot start pods that need a network | see: win-hcn config check C:\\etc\\cni\\net.d\\00-broken.conflist',
    ],
    [
      'an invalid file that containerd also loads',
      inFolder([ours, broken], { maxConfNum: 0 }),
      'FAIL C:\\etc\\cni\\net.d\\00-broken.conflist: line 1, column 2: invalid JSON at "end of file": close brace expected: containerd cannot start pods that need a network | see: win-hcn config check C:\\etc\\cni\\net.d\\00-broken.conflist',
    ],
    [
      'a plugin that win-hcn may replace',
      inFolder([nat, ours], { programs: { nat: 'C:\\opt\\cni\\bin\\nat.exe' } }),
      'UNKNOWN C:\\etc\\cni\\net.d\\0-containerd-nat.conf: network "nat", plugin nat; that plugin may be a copy of win-hcn | see: Get-ChildItem C:\\opt\\cni\\bin | Select-Object Name, @{ n = \'Product\'; e = { $_.VersionInfo.ProductName } }',
    ],
    [
      'no file',
      inFolder([]),
      'FAIL no .conf, .conflist or .json file (lower case, without .txt) in C:\\etc\\cni\\net.d: containerd cannot start pods that need a network | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'a folder that cannot be read',
      withoutFolder({}, denied),
      'FAIL cannot list C:\\etc\\cni\\net.d: permission denied: containerd cannot start pods that need a network | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'a missing folder that containerd may not use',
      withoutFolder({ containerd: { ...snapshot().containerd, config: { error: 'no such file' } } }),
      'UNKNOWN cannot list C:\\etc\\cni\\net.d: no such folder | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
  ])('is reported for %s', (_, given, expected) => {
    expect(diagnosed(winningConf, given)).toEqual([expected]);
  });

  const calico = { name: 'Calico', plugins: [{ type: 'calico' }] };
  const marked = (text: string) => `\ufeff${text}`;
  const command = (name: string) => {
    const path = `'C:\\etc\\cni\\net.d\\${name}'`;
    return `fix: [IO.File]::WriteAllText(${path}, (Get-Content -Raw ${path}))`;
  };
  test.each<[string, object | string, string]>([
    ['10-x.conf', calico, 'runtimes read a plugin list only from *.conflist: rename the file'],
    ['10-x.conflist', { ...calico, name: '' }, '/name is missing, expected the name of the network'],
    [
      '10-x.conflist',
      { ...calico, plugins: [{}] },
      "/plugins/0/type is missing, expected the name of the plugin's executable",
    ],
    ['10-x.conflist', { name: 'x', type: 'calico' }, 'a .conflist must be a plugin list'],
    ['10-x.conf', { type: 'calico' }, '/name is missing, expected the name of the network'],
    [
      '10-x.conflist',
      marked(JSON.stringify(calico)),
      'the file starts with a byte-order mark, which runtimes reject: save it as UTF-8 without a byte-order mark',
    ],
  ])('of another plugin fails if no runtime can use it: %s %j', (name, content, problem) => {
    const [found, ...more] = diagnosed(winningConf, inFolder([confFile(name, content)]));
    expect(more).toEqual([]);
    expect(found).toMatch(/^FAIL .*: containerd cannot start pods that need a network/);
    expect(found).toContain(problem);
    expect(found).toContain(
      problem.includes('mark') ? command(name) : `see: win-hcn config check C:\\etc\\cni\\net.d\\${name}`,
    );
  });

  test.each([
    ['win-hcn', 'PASS'],
    ['nat', 'WARN'],
  ])(
    'of a plugin that win-hcn may replace depends on the product name of its program: %j',
    (product, verdict) => {
      const path = 'C:\\opt\\cni\\bin\\nat.exe';
      const program = { path, isFolder: false, product, owner: 'S-1-5-18', allowed: [] };
      const given = inFolder([nat, ours], { programs: { nat: path }, files: { value: [program] } });
      expect(winningConf.diagnose(given)).toMatchObject([{ verdict }]);
    },
  );
});

describe('the configuration', () => {
  test('has all problems and warnings, with their places', () => {
    const text =
      '{ "name": "pods", "plugins": [{ "type": "win-hcn", "networkType": "L2Brige", "subnet": 1 }] }';
    const file = confFile('10-pods.conflist', text);
    expect(diagnosed(validConf, inFolder([file]))).toEqual([
      expect.stringMatching(/^FAIL line 1, column \d+: .*networkType is "L2Brige"/),
      expect.stringMatching(/^FAIL line 1, column \d+: .*subnet is an unknown key/),
    ]);
    const given = configured({ capabilities: { portMapping: true, bandwith: true } });
    expect(diagnosed(validConf, snapshot({ configuration: given }))).toEqual([
      expect.stringMatching(/^WARN line 1, column \d+: .*portMapping is not a known capability/),
      expect.stringMatching(/^WARN line 1, column \d+: .*bandwith is not a known capability/),
    ]);
  });

  test.each([
    ['is valid', ours, 'PASS 10-pods.conflist is valid: keys, values, ranges, capabilities'],
    [
      'is invalid',
      confFile('10-pods.conflist', '{ "type": "win-hcn"'),
      'FAIL 10-pods.conflist: line 1, column 20: invalid JSON at "end of file": close brace expected | see: win-hcn config check C:\\etc\\cni\\net.d\\10-pods.conflist',
    ],
  ])("of win-hcn after another plugin's %s", (_, file, expected) => {
    expect(diagnosed(validConf, inFolder([azure, file]))).toEqual([expected]);
  });
});

describe('plugins', () => {
  test('that are missing are reported with a command', () => {
    const ipam = { type: 'host-local', subnet: '10.244.1.0/24' };
    const executable = 'C:\\Users\\operator\\win-hcn.exe';
    expect(diagnosed(plugins, snapshot({ configuration: configured({ ipam }), executable }))).toEqual([
      'FAIL no win-hcn.exe in C:\\opt\\cni\\bin, which 10-pods.conf needs | fix: Copy-Item C:\\Users\\operator\\win-hcn.exe C:\\opt\\cni\\bin\\win-hcn.exe',
      'FAIL no host-local.exe in C:\\opt\\cni\\bin, which 10-pods.conf needs | see: Get-ChildItem C:\\opt\\cni\\bin',
    ]);
  });

  test('that are missing are unknown if the folder is uncertain', () => {
    const runtime = { ...snapshot().containerd, config: { error: 'no such file' } };
    const given = snapshot({ configuration: configured(), containerd: runtime });
    expect(plugins.diagnose(given)).toMatchObject([{ verdict: 'UNKNOWN' }]);
  });
});

describe('containerd', () => {
  test('with invalid TOML fails', () => {
    const error = 'line 3: Invalid TOML document: unrecognized escape sequence';
    expect(
      diagnosed(containerd, snapshot({ containerd: { ...snapshot().containerd, config: { error } } })),
    ).toEqual([
      `FAIL C:\\k\\config.toml: ${error}; write Windows paths in single quotes | see: containerd --config C:\\k\\config.toml config dump`,
    ]);
  });

  test('may use other folders than its configuration has', () => {
    const text = "[plugins.cri.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']";
    const config = { value: parseConfig(text) };
    expect(diagnosed(containerd, snapshot({ containerd: { ...snapshot().containerd, config } }))).toEqual([
      'WARN plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d; C:\\k\\config.toml: bin_dir and bin_dirs are both set, which newer releases of containerd reject: remove one of them | see: containerd --config C:\\k\\config.toml config dump',
    ]);
  });

  test.each([
    [true, 'FAIL service containerd is not running | fix: Start-Service containerd'],
    [
      false,
      'WARN containerd is not running, and there is no service containerd | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ],
  ])('that is not running is reported, installed as a service: %j', (isService, expected) => {
    const commands = { value: { isService, isRunning: false, serviceCommandLines: [], commandLines: [] } };
    const given = snapshot({ containerd: { ...snapshot().containerd, commands } });
    expect(diagnosed(containerd, given)).toEqual([expected, expect.stringMatching(/^PASS /)]);
  });

  test.each([
    [
      'has its defaults if no command line names one',
      'containerd.exe --run-service',
      /^PASS .*: the defaults/,
    ],
    [
      'is unknown if its command line names it',
      'containerd.exe --config C:\\k\\config.toml',
      /^UNKNOWN cannot read/,
    ],
  ])('without its configuration %s', (_, line, expected) => {
    const own = snapshot().containerd;
    const commands = {
      value: { isService: true, isRunning: true, serviceCommandLines: [line], commandLines: [line] },
    };
    const given = { ...own, commands, config: { error: 'no such file' }, isConfigMissing: true };
    const [found] = diagnosed(containerd, snapshot({ containerd: given }));
    expect(found).toMatch(expected);
  });

  test('with an unknown command line may use another configuration', () => {
    const commands = { error: 'PowerShell did not finish within 15 s' };
    const given = snapshot({ containerd: { ...snapshot().containerd, commands } });
    expect(diagnosed(containerd, given)).toEqual([
      'UNKNOWN plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d; C:\\k\\config.toml; containerd may use another configuration: its command line is unknown',
    ]);
  });
});
