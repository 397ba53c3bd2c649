import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { buildLinuxStub, buildWindowsStubs } from '../../simulator/stub/build.ts';

const mingw = spawnSync('x86_64-w64-mingw32-gcc', ['--version']).status === 0;

it('the Linux library is built once', () => {
  const built = statSync(buildLinuxStub()).mtimeMs;
  expect(statSync(buildLinuxStub()).mtimeMs).toBe(built);
});

describe.skipIf(!mingw && !process.env['CI'])('with mingw, the Windows libraries', () => {
  test('are executables of the kind node.exe loads', () => {
    const { computenetwork, vmcompute } = buildWindowsStubs();
    for (const file of [computenetwork, vmcompute])
      expect(readFileSync(file).toString('latin1', 0, 2)).toBe('MZ');
  });
  test('export undecorated names and need nothing that Windows lacks', () => {
    const { computenetwork, vmcompute } = buildWindowsStubs();
    expect(exports(computenetwork)).toHaveLength(39);
    expect(exports(computenetwork)).toContain('HcnQueryEndpointProperties');
    expect(exports(vmcompute)).toEqual(['HNSCall']);
    const imported = new Set([...imports(computenetwork), ...imports(vmcompute)]);
    expect([...imported].sort()).toEqual(['KERNEL32.dll', 'WS2_32.dll', 'msvcrt.dll', 'ole32.dll']);
  });
});

function exports(file: string): string[] {
  return [...tables(file).matchAll(/^\s+\[ *\d+\](?: \+base\[ *\d+\])?(?: +[\da-f]+)? (\w+)$/gm)].map(
    ([, name = '']) => name,
  );
}

function imports(file: string): string[] {
  return [...tables(file).matchAll(/DLL Name: (\S+)/g)].map(([, name = '']) => name);
}

function tables(file: string): string {
  return spawnSync('x86_64-w64-mingw32-objdump', ['-p', file], { encoding: 'utf8' }).stdout;
}
