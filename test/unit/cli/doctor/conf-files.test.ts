import { describe, expect, test } from 'vitest';
import { validConf, winningConf } from '../../../../src/cli/doctor/checks/conf-files.ts';
import type { Facts } from '../../../../src/cli/doctor/facts.ts';
import { confFile, configured, diagnosisTexts, facts } from './facts.ts';

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
    configuration: { ...configuration, files: { value: files }, ...given },
  });
}

const denied = 'cannot list C:\\etc\\cni\\net.d: permission denied';
const noFolder = 'cannot list C:\\etc\\cni\\net.d: no such folder';

function withoutFolder(given: Partial<Facts> = {}, error = noFolder): Facts {
  const files = { error };
  return facts({ configuration: { ...facts().configuration, files }, ...given });
}

describe('the active configuration', () => {
  test.each<[string, Facts, string]>([
    [
      'win-hcn alone',
      inFolder([ours]),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn',
    ],
    [
      'win-hcn before others',
      inFolder([ours, azure]),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn; ignored: 10-azure.conflist',
    ],
    [
      'win-hcn before others that containerd uses',
      inFolder([ours, azure, nat], { maxConfNum: 2 }),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn; further interfaces from 10-azure.conflist (max_conf_num is 2); ignored: 0-containerd-nat.conf',
    ],
    [
      'win-hcn before others, without a limit',
      inFolder([ours, azure], { maxConfNum: 0 }),
      'PASS C:\\etc\\cni\\net.d\\10-pods.conflist: network "pods", plugin win-hcn; further interfaces from 10-azure.conflist (max_conf_num is 0)',
    ],
    [
      'another plugin before win-hcn',
      inFolder([azure, ours]),
      'FAIL C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist, which the other checks use | fix: Rename-Item C:\\etc\\cni\\net.d\\10-azure.conflist 10-azure.conflist.off',
    ],
    [
      'another plugin alone',
      inFolder([azure]),
      'WARN C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; no file configures win-hcn | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'another plugin before an invalid file that mentions win-hcn',
      inFolder([azure, confFile('10-pods.conflist', '{ "type": "win-hcn"')]),
      'FAIL C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; it takes precedence over 10-pods.conflist | fix: Rename-Item C:\\etc\\cni\\net.d\\10-azure.conflist 10-azure.conflist.off',
    ],
    [
      'another plugin before an invalid file',
      inFolder([azure, broken]),
      'FAIL C:\\etc\\cni\\net.d\\10-azure.conflist: network "azure", plugin azure-vnet; no valid file configures win-hcn, and 00-broken.conflist is invalid | see: win-hcn config check C:\\etc\\cni\\net.d\\00-broken.conflist',
    ],
    [
      'an invalid file before win-hcn',
      inFolder([broken, ours]),
      'FAIL C:\\etc\\cni\\net.d\\00-broken.conflist is invalid; containerd stops there; the other checks use 10-pods.conflist | see: win-hcn config check C:\\etc\\cni\\net.d\\00-broken.conflist',
    ],
    [
      'a plugin that win-hcn may replace',
      inFolder([nat, ours], { programs: { nat: 'C:\\opt\\cni\\bin\\nat.exe' } }),
      'UNKNOWN C:\\etc\\cni\\net.d\\0-containerd-nat.conf: network "nat", plugin nat; that plugin may be a copy of win-hcn | see: Get-ChildItem C:\\opt\\cni\\bin | Select-Object Name, @{ n = \'Product\'; e = { $_.VersionInfo.ProductName } }',
    ],
    [
      'no file',
      inFolder([]),
      'FAIL no .conf, .conflist or .json file in C:\\etc\\cni\\net.d: containerd cannot start pods that need a network | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'a folder that cannot be read',
      withoutFolder({}, denied),
      'FAIL cannot list C:\\etc\\cni\\net.d: permission denied | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'a missing folder',
      withoutFolder(),
      'FAIL folder C:\\etc\\cni\\net.d does not exist: containerd cannot start pods that need a network | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'a missing folder that containerd may not use',
      withoutFolder({ containerd: { ...facts().containerd, config: { error: 'no such file' } } }),
      'UNKNOWN folder C:\\etc\\cni\\net.d does not exist | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
    [
      'an invalid file given with --conf',
      inFolder([broken], { isGiven: true }),
      'FAIL C:\\etc\\cni\\net.d\\00-broken.conflist is invalid | see: win-hcn config check C:\\etc\\cni\\net.d\\00-broken.conflist',
    ],
    [
      'a folder that cannot be read and that containerd may not use',
      withoutFolder({ containerd: { ...facts().containerd, config: { error: 'no such file' } } }, denied),
      'UNKNOWN cannot list C:\\etc\\cni\\net.d: permission denied | see: Get-ChildItem C:\\etc\\cni\\net.d',
    ],
  ])('is reported for %s', (_, given, expected) => {
    expect(diagnosisTexts(winningConf.diagnose(given))).toEqual([expected]);
  });

  test.each([
    ['win-hcn', 'PASS'],
    ['nat', 'FAIL'],
    ['', 'FAIL'],
  ])(
    'of a plugin that win-hcn may replace depends on the product name of its program: %j',
    (product, verdict) => {
      const path = 'C:\\opt\\cni\\bin\\nat.exe';
      const program = { path, isFolder: false, product, owner: 'S-1-5-18', allowed: [] };
      const given = { ...inFolder([nat, ours], { programs: { nat: path } }), files: { value: [program] } };
      expect(winningConf.diagnose(given)).toMatchObject([{ verdict }]);
    },
  );
});

describe('the configuration', () => {
  test('shows the first problem and the number of others', () => {
    const text =
      '{ "name": "pods", "plugins": [{ "type": "win-hcn", "networkType": "L2Brige", "subnet": 1 }] }';
    const file = confFile('10-pods.conflist', text);
    expect(diagnosisTexts(validConf.diagnose(inFolder([file])))).toEqual([
      expect.stringMatching(
        /^FAIL line 1, column \d+: .*; \d more \| see: win-hcn config check C:\\etc\\cni\\net.d\\10-pods.conflist$/,
      ),
    ]);
  });

  test('shows the first warning and the number of others if there is no problem', () => {
    const acl = (action: string) => ({ action, direction: 'In' });
    const acls = [acl('Allow'), acl('Block'), acl('Block')];
    const given = configured({ acls, defaultAction: 'Allow' });
    expect(diagnosisTexts(validConf.diagnose(facts({ configuration: given })))).toEqual([
      'WARN line 1, column 162: /acls/1 (Block) ties with /acls/0 (Allow): direction In, priority 1000, overlapping traffic; HNS chooses ' +
        'which one applies: give them different priorities; 1 more | see: win-hcn config check C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test.each([
    ['is valid', ours, 'PASS 10-pods.conflist: no problems'],
    [
      'is invalid',
      confFile('10-pods.conflist', '{ "type": "win-hcn"'),
      'FAIL 10-pods.conflist: line 1, column 20: missing "}" for the "{" at line 1, column 1 | see: win-hcn config check C:\\etc\\cni\\net.d\\10-pods.conflist',
    ],
  ])("of win-hcn after another plugin's %s", (_, file, expected) => {
    expect(diagnosisTexts(validConf.diagnose(inFolder([azure, file])))).toEqual([expected]);
  });

  test('fails for a file that is not JSON', () => {
    expect(validConf.diagnose(inFolder([broken]))).toMatchObject([{ verdict: 'FAIL' }]);
  });

  test.each([
    ['for another plugin', inFolder([azure])],
    ['in an empty folder', inFolder([])],
    ['in a folder that cannot be read', facts()],
  ])('%s is not checked', (_, given) => {
    expect(validConf.diagnose(given)).toEqual([]);
  });
});
