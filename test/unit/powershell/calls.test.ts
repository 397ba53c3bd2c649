import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type Call, callsIn, functionsIn, scriptParameters } from './parse.ts';

/** What the scripts use of Windows PowerShell 5.1 and Windows Server. */
const cmdlets = new Set(
  [
    'Add-MpPreference Add-Type ConvertFrom-Json ConvertTo-Json Copy-Item ForEach-Object Format-List Format-Table Get-ChildItem',
    'Get-Content Get-FileHash Get-Item Get-Module Get-MpComputerStatus Get-MpPreference Get-NetAdapter Get-NetFirewallRule Get-NetIPAddress Get-NetIPInterface Get-NetRoute Get-Process',
    'Get-Random Get-Service Get-WinEvent Import-Module Import-PowerShellDataFile Invoke-ScriptAnalyzer Join-Path',
    'New-Item New-NetFirewallRule New-NetIPAddress New-NetRoute New-Service Out-File Out-Host Remove-Item Remove-MpPreference Remove-NetFirewallRule',
    'Rename-Item Rename-NetAdapter Resolve-Path Restart-Service Select-Object Set-MpPreference Set-NetIPInterface',
    'Set-StrictMode Sort-Object Split-Path Start-Process Start-Service Start-Sleep Stop-Process Stop-Service Test-Path',
    'Where-Object Write-Host Write-Warning',
  ].flatMap((line) => line.split(' ')),
);

const files = globSync('test/real/*.{ps1,psm1}').map((file) => ({
  file: basename(file),
  text: readFileSync(file, 'utf8'),
}));
const ofModules = files.filter(({ file }) => file.endsWith('.psm1')).flatMap(({ text }) => functionsIn(text));

/** What a script calls but nobody defines, and parameters that a function does not have. */
function wrongCalls(text: string): readonly string[] {
  const defined = [...ofModules, ...functionsIn(text)];
  return callsIn(text).flatMap(({ command, parameters }) => {
    const own = defined.find((one) => one.command === command);
    if (own === undefined) return cmdlets.has(command) ? [] : [command];
    return parameters.filter((name) => !own.parameters.includes(name)).map((name) => `${command} -${name}`);
  });
}

test('an unknown command and an unknown parameter are found', () => {
  const text = "Get-Childitems\nInvoke-Program -Path a -Arguments 'b' -Second 1\n";
  expect(wrongCalls(text)).toEqual(['Get-Childitems', 'Invoke-Program -Second']);
});

test.each(files)('$file calls only commands that exist, with parameters that they have', ({ text }) => {
  expect(callsIn(text).length).toBeGreaterThan(3);
  expect(wrongCalls(text)).toEqual([]);
});

test('every cmdlet of the list is used', () => {
  const used = new Set(files.flatMap(({ text }) => callsIn(text).map(({ command }) => command)));
  expect([...cmdlets].filter((name) => !used.has(name))).toEqual([]);
});

/** The scripts that other programs run: a step of the workflow, or run-all.ps1. */
const steps = Object.values<{ steps: readonly { run?: string }[] }>(
  parseYaml(readFileSync('.github/workflows/windows.yml', 'utf8')).jobs,
).flatMap((job) => job.steps.flatMap(({ run = '' }) => callsIn(`${run}\n`)));
const runAll = readFileSync('test/real/run-all.ps1', 'utf8');
const inRunAll: readonly Call[] = [
  ...runAll.matchAll(/^ *Invoke-Test -Name '([\w-]+)'(?: -Arguments @\{(.*?)\})?$/gm),
].map(([, name, values = '']) => ({
  command: `test/real/${name}.ps1`,
  parameters: [...values.matchAll(/(\w+) =/g)].map(([, parameter = '']) => parameter),
}));

describe.each([
  ['the workflow', steps.filter(({ command }) => command.endsWith('.ps1'))],
  ['run-all.ps1', inRunAll],
])('%s', (_, calls) => {
  test.each(calls)('runs $command with parameters that it has', ({ command, parameters }) => {
    expect(scriptParameters(readFileSync(command, 'utf8'))).toEqual(expect.arrayContaining([...parameters]));
  });

  test('runs every script that tests something', () => {
    const run = new Set(calls.map(({ command }) => basename(command)));
    const others = ['run-all.ps1', 'prepare-node.ps1', 'loopback-adapter.ps1'];
    const scripts = files.map(({ file }) => file).filter((file) => file.endsWith('.ps1'));
    expect(scripts.filter((file) => !run.has(file) && !others.includes(file))).toEqual([]);
  });
});
