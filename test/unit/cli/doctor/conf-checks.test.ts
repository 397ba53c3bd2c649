import { describe, expect, test } from 'vitest';
import { containerd } from '../../../../src/cli/doctor/checks/containerd.ts';
import { plugins } from '../../../../src/cli/doctor/checks/plugins.ts';
import { validConf } from '../../../../src/cli/doctor/checks/valid-conf.ts';
import { winningConf } from '../../../../src/cli/doctor/checks/winning-conf.ts';
import { readContainerdConfig } from '../../../../src/cli/doctor/containerd/cni-folders.ts';
import type { Facts } from '../../../../src/cli/doctor/facts.ts';
import { confFile, configured, facts } from './facts.ts';

const ours = confFile('10-pods.conflist', {
  cniVersion: '1.1.0',
  name: 'pods',
  plugins: [{ type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }] }],
});
const azure = confFile('10-azure.conflist', { name: 'azure', plugins: [{ type: 'azure-vnet' }] });
const nat = confFile('0-containerd-nat.conf', { name: 'nat', type: 'nat' });
const broken = confFile('00-broken.conflist', '{');

type Given = Partial<Facts['configuration']> & { readonly maxConfNum?: number };

function inFolder(files: readonly (typeof ours)[], { maxConfNum = 1, ...given }: Given = {}): Facts {
  const { containerd: runtime, configuration } = facts();
  return facts({
    containerd: { ...runtime, folders: { ...runtime.folders, maxConfNum } },
    configuration: { ...configuration, files: { known: files }, ...given },
  });
}

function withoutFolder(given: Partial<Facts> = {}): Facts {
  const files = { unknown: "ENOENT: no such file or directory, scandir 'C:\\etc\\cni\\net.d'" };
  return facts({ configuration: { ...facts().configuration, files }, ...given });
}

describe('the winning conf', () => {
  test.each<[string, Facts, object]>([
    [
      'win-hcn alone',
      inFolder([ours]),
      { verdict: 'PASS', seen: 'C:\\etc\\cni\\net.d\\10-pods.conflist, network "pods" of win-hcn' },
    ],
    [
      'win-hcn before others',
      inFolder([ours, azure]),
      {
        verdict: 'PASS',
        seen: 'C:\\etc\\cni\\net.d\\10-pods.conflist, network "pods" of win-hcn; passed over: 10-azure.conflist',
      },
    ],
    [
      'win-hcn with others that count',
      inFolder([ours, azure, nat], { maxConfNum: 2 }),
      {
        verdict: 'PASS',
        seen: 'C:\\etc\\cni\\net.d\\10-pods.conflist, network "pods" of win-hcn; pods get further interfaces by 10-azure.conflist (max_conf_num is 2); passed over: 0-containerd-nat.conf',
      },
    ],
    [
      'all files, without a limit',
      inFolder([ours, azure], { maxConfNum: 0 }),
      {
        verdict: 'PASS',
        seen: 'C:\\etc\\cni\\net.d\\10-pods.conflist, network "pods" of win-hcn; pods get further interfaces by 10-azure.conflist (max_conf_num is 0)',
      },
    ],
    [
      'another plugin before win-hcn',
      inFolder([azure, ours]),
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d\\10-azure.conflist, network "azure" of azure-vnet, comes before 10-pods.conflist: pods get that network',
        fix: 'Rename-Item C:\\etc\\cni\\net.d\\10-azure.conflist 10-azure.conflist.off',
      },
    ],
    [
      'another plugin alone',
      inFolder([azure]),
      {
        verdict: 'WARN',
        seen: 'C:\\etc\\cni\\net.d\\10-azure.conflist, network "azure" of azure-vnet, and no file is for win-hcn',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
    [
      'no configuration',
      inFolder([broken, ours]),
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d\\00-broken.conflist is no configuration, and containerd goes no further',
        see: 'win-hcn validate C:\\etc\\cni\\net.d\\00-broken.conflist',
      },
    ],
    [
      'a plugin that win-hcn may stand in for',
      inFolder([nat, ours], { programs: { nat: 'C:\\opt\\cni\\bin\\nat.exe' } }),
      {
        verdict: 'UNKNOWN',
        seen: 'C:\\etc\\cni\\net.d\\0-containerd-nat.conf, network "nat" of nat: whether that program is a copy of win-hcn is not known',
        see: "Get-ChildItem C:\\opt\\cni\\bin | Select-Object Name, @{ n = 'Product'; e = { $_.VersionInfo.ProductName } }",
      },
    ],
    [
      'no file',
      inFolder([]),
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d has no .conf, .conflist or .json file: containerd starts no pod that needs a network',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
    [
      'no folder',
      facts(),
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d cannot be read: nobody asked',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
    [
      'a folder that is not there',
      withoutFolder(),
      {
        verdict: 'FAIL',
        seen: 'there is no folder C:\\etc\\cni\\net.d: containerd starts no pod that needs a network',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
    [
      'a folder that is not there, which may be another one',
      withoutFolder({ containerd: { ...facts().containerd, config: { unknown: 'ENOENT' } } }),
      {
        verdict: 'UNKNOWN',
        seen: 'there is no folder C:\\etc\\cni\\net.d',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
    [
      'a file that is given and is no configuration',
      inFolder([broken], { isGiven: true }),
      {
        verdict: 'FAIL',
        seen: 'C:\\etc\\cni\\net.d\\00-broken.conflist is no configuration',
        see: 'win-hcn validate C:\\etc\\cni\\net.d\\00-broken.conflist',
      },
    ],
    [
      'no folder, and no configuration of containerd',
      facts({ containerd: { ...facts().containerd, config: { unknown: 'ENOENT' } } }),
      {
        verdict: 'UNKNOWN',
        seen: 'C:\\etc\\cni\\net.d cannot be read: nobody asked',
        see: 'Get-ChildItem C:\\etc\\cni\\net.d',
      },
    ],
  ])('is that of %s', (_, given, expected) => {
    expect(winningConf.judge(given)).toEqual([expected]);
  });

  test.each([
    ['win-hcn', 'PASS'],
    ['nat', 'FAIL'],
    ['', 'FAIL'],
  ])('of another name is judged by what its program says it is: %j', (product, verdict) => {
    const path = 'C:\\opt\\cni\\bin\\nat.exe';
    const program = { path, isFolder: false, product, owner: 'S-1-5-18', allowed: [] };
    const given = { ...inFolder([nat, ours], { programs: { nat: path } }), files: { known: [program] } };
    expect(winningConf.judge(given)).toMatchObject([{ verdict }]);
  });
});

describe('the valid conf', () => {
  test('has the first problem, and how many there are', () => {
    const text =
      '{ "name": "pods", "plugins": [{ "type": "win-hcn", "networkType": "L2Brige", "subnet": 1 }] }';
    expect(validConf.judge(inFolder([confFile('10-pods.conflist', text)]))).toEqual([
      {
        verdict: 'FAIL',
        seen: expect.stringMatching(/^line 1, column \d+: .*; \d more$/),
        see: 'win-hcn validate C:\\etc\\cni\\net.d\\10-pods.conflist',
      },
    ]);
  });

  test('shows the first warning and the number of others when there is no problem', () => {
    const acl = (action: string) => ({ action, direction: 'In' });
    const acls = [acl('Allow'), acl('Block'), acl('Block')];
    const given = configured({ acls, defaultAction: 'Allow' });
    expect(validConf.judge(facts({ configuration: given }))).toEqual([
      {
        verdict: 'WARN',
        seen:
          'line 1, column 162: /acls/1 (Block) ties with /acls/0 (Allow): direction In, priority 1000, overlapping traffic; HNS chooses ' +
          'which one applies: give them different priorities; 1 more',
        see: 'win-hcn validate C:\\etc\\cni\\net.d\\10-pods.conf',
      },
    ]);
  });

  test('is one where the file is no JSON at all', () => {
    expect(validConf.judge(inFolder([broken]))).toMatchObject([{ verdict: 'FAIL' }]);
  });

  test.each([
    ['of another plugin', inFolder([azure])],
    ['that is not there', inFolder([])],
    ['that nobody knows', facts()],
  ])("%s is not win-hcn's to judge", (_, given) => {
    expect(validConf.judge(given)).toEqual([]);
  });
});

describe('plugins', () => {
  test('that are missing come with the command that puts them there, or shows what is', () => {
    const programs = { 'win-hcn': undefined, 'host-local': undefined };
    const executable = 'C:\\Users\\operator\\win-hcn.exe';
    expect(plugins.judge({ ...inFolder([ours], { programs }), executable })).toEqual([
      {
        verdict: 'FAIL',
        seen: 'no win-hcn.exe in C:\\opt\\cni\\bin',
        fix: 'Copy-Item C:\\Users\\operator\\win-hcn.exe C:\\opt\\cni\\bin\\win-hcn.exe',
      },
      {
        verdict: 'FAIL',
        seen: 'no host-local.exe in C:\\opt\\cni\\bin',
        see: 'Get-ChildItem C:\\opt\\cni\\bin',
      },
    ]);
  });

  test('that are missing prove nothing where nobody knows the folder', () => {
    const given = inFolder([azure], { programs: { 'azure-vnet': undefined } });
    const runtime = { ...given.containerd, config: { unknown: 'ENOENT' } };
    expect(plugins.judge({ ...given, containerd: runtime })).toMatchObject([{ verdict: 'UNKNOWN' }]);
  });
});

describe('containerd', () => {
  test('that cannot be read has its default folders', () => {
    const given = facts({ containerd: { ...facts().containerd, config: { unknown: 'ENOENT' } } });
    expect(containerd.judge(given)).toEqual([
      {
        verdict: 'UNKNOWN',
        seen: 'C:\\k\\config.toml cannot be read (ENOENT); by default it has plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d',
        see: 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
      },
    ]);
  });

  test.each([
    [
      'imports further files',
      "imports = ['C:\\k\\conf.d\\*.toml']",
      'WARN',
      'its imports may say otherwise and are not looked at: C:\\k\\conf.d\\*.toml',
    ],
    [
      "has another version's table",
      "[plugins.'io.containerd.grpc.v1.cri'.cni]",
      'WARN',
      "its [plugins.'io.containerd.grpc.v1.cri'.cni] is of another version and counts for nothing; one of version 3 has [plugins.'io.containerd.cri.v1.runtime'.cni]",
    ],
    [
      'has another folder for a runtime',
      "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.hyperv]\ncni_conf_dir = 'C:\\h'\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.process]\ncni_conf_dir = ''",
      'WARN',
      'pods of runtime hyperv get the configurations of another folder (cni_conf_dir), which are not looked at',
    ],
    [
      'has both bin_dir and bin_dirs',
      "[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']",
      'FAIL',
      'it has both bin_dir and bin_dirs, which a containerd that knows both refuses: take one away',
    ],
  ])('that %s may have other folders', (_, text, verdict, doubt) => {
    const config = { known: readContainerdConfig(`version = 3\n${text}`) };
    expect(containerd.judge(facts({ containerd: { ...facts().containerd, config } }))).toEqual([
      {
        verdict,
        seen: `plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d, by C:\\k\\config.toml (version 3); ${doubt}`,
        see: 'containerd --config C:\\k\\config.toml config dump',
      },
    ]);
  });

  test.each([
    [true, { verdict: 'FAIL', seen: 'its service does not run', fix: 'Start-Service containerd' }],
    [
      false,
      {
        verdict: 'WARN',
        seen: 'it does not run, and is no service of this node',
        see: 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
      },
    ],
  ])('that does not run, as a service: %j', (isService, expected) => {
    const commands = { known: { isService, isRunning: false, commandLines: [] } };
    expect(containerd.judge(facts({ containerd: { ...facts().containerd, commands } }))).toMatchObject([
      expected,
      { verdict: 'PASS' },
    ]);
  });

  test('whose command line nobody knows may have another configuration', () => {
    const commands = { unknown: 'PowerShell did not finish within 15 s' };
    expect(containerd.judge(facts({ containerd: { ...facts().containerd, commands } }))).toMatchObject([
      {
        verdict: 'UNKNOWN',
        seen: 'whether it has another configuration is not known (PowerShell did not finish within 15 s); plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d, by C:\\k\\config.toml (version 2)',
      },
    ]);
  });
});
