import { describe, expect, test } from 'vitest';
import { confNames } from '../../../../src/cli/conflist/files.ts';
import { combineConfig, parseConfigPart } from '../../../../src/cli/containerd/config.ts';
import { containerd, plugins } from '../../../../src/cli/doctor/checks/containerd.ts';
import { configured, diagnosisTexts, facts } from './facts.ts';

test('containerd sorts configuration files by bytes and ignores other extensions', () => {
  const names = ['9-a.conf', '10-b.conflist', 'a.json', 'Z.conf', '10-c.conf.off', 'readme.txt', 'D.CONF'];
  expect(confNames(names)).toEqual(['10-b.conflist', '9-a.conf', 'Z.conf', 'a.json']);
});

describe('plugins', () => {
  test('that are missing are reported with a command', () => {
    const ipam = { type: 'host-local', subnet: '10.244.1.0/24' };
    const executable = 'C:\\Users\\operator\\win-hcn.exe';
    expect(
      diagnosisTexts(plugins.diagnose(facts({ configuration: configured({ ipam }), executable }))),
    ).toEqual([
      'FAIL no win-hcn.exe in C:\\opt\\cni\\bin | fix: Copy-Item C:\\Users\\operator\\win-hcn.exe C:\\opt\\cni\\bin\\win-hcn.exe',
      'FAIL no host-local.exe in C:\\opt\\cni\\bin | see: Get-ChildItem C:\\opt\\cni\\bin',
    ]);
  });

  test('that are missing are unknown if the folder is uncertain', () => {
    const runtime = { ...facts().containerd, config: { error: 'no such file' } };
    const given = facts({ configuration: configured(), containerd: runtime });
    expect(plugins.diagnose(given)).toMatchObject([{ verdict: 'UNKNOWN' }]);
  });
});

describe('containerd', () => {
  test('with a configuration that cannot be read is unknown', () => {
    const given = facts({ containerd: { ...facts().containerd, config: { error: 'no such file' } } });
    expect(diagnosisTexts(containerd.diagnose(given))).toEqual([
      'UNKNOWN cannot read C:\\k\\config.toml: no such file; defaults: plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ]);
  });

  test.each([
    [
      "has another version's table",
      "[plugins.'io.containerd.grpc.v1.cri'.cni]",
      'WARN',
      "[plugins.'io.containerd.grpc.v1.cri'.cni] belongs to another version and is ignored; version 3 reads [plugins.'io.containerd.cri.v1.runtime'.cni]",
    ],
    [
      'has a folder for one runtime',
      "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.hyperv]\ncni_conf_dir = 'C:\\h'\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.process]\ncni_conf_dir = ''",
      'WARN',
      'pods of runtime hyperv use another folder (cni_conf_dir), which is not checked',
    ],
    [
      'sets both bin_dir and bin_dirs',
      "[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']",
      'FAIL',
      'bin_dir and bin_dirs are both set, which containerd rejects if it supports bin_dirs: remove one of them',
    ],
  ])('that %s may have other folders', (_, text, verdict, doubt) => {
    const config = { value: combineConfig(parseConfigPart(`version = 3\n${text}`)) };
    expect(
      diagnosisTexts(containerd.diagnose(facts({ containerd: { ...facts().containerd, config } }))),
    ).toEqual([
      `${verdict} plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\k\\config.toml, version 3); ${doubt} | see: containerd --config C:\\k\\config.toml config dump`,
    ]);
  });

  test('of version 2 may have both bin_dir and bin_dirs', () => {
    const text =
      "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']";
    const config = { value: combineConfig(parseConfigPart(text)) };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, config } }));
    expect(found).toMatchObject([{ verdict: 'WARN' }]);
  });

  test.each([
    [true, 'FAIL service containerd is not running | fix: Start-Service containerd'],
    [
      false,
      'WARN containerd is not running, and there is no service containerd | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ],
  ])('that is not running is reported, installed as a service: %j', (isService, expected) => {
    const commands = { value: { isService, isRunning: false, serviceCommandLines: [], commandLines: [] } };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, commands } }));
    expect(diagnosisTexts(found)).toEqual([expected, expect.stringMatching(/^PASS /)]);
  });

  test('with an unknown command line may use another configuration', () => {
    const commands = { error: 'PowerShell did not finish within 15 s' };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, commands } }));
    expect(diagnosisTexts(found)).toEqual([
      'UNKNOWN plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\k\\config.toml, version 2); containerd may use another configuration: its command line is unknown (PowerShell did not finish within 15 s) | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ]);
  });
});
