import { readFileSync, statSync } from 'node:fs';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { describe, expect, test } from 'vitest';
import { variables } from '../../packaging/environment.mjs';
import { placeOfFlags } from '../../packaging/system32-only.mjs';
import { missing } from './suite.ts';

describe.skipIf(missing !== undefined)('the bytes of win-hcn.exe', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

  test('contain our name and version, and no invalid certificate', () => {
    const exe = NtExecutable.from(readFileSync('dist/win-hcn.exe'), { ignoreCert: true });
    const [info] = Resource.VersionInfo.fromEntries(NtExecutableResource.from(exe).entries);
    const [language] = info?.getAllLanguagesForStringValues() ?? [];
    expect(language && info?.getStringValues(language)).toMatchObject({
      ProductName: 'win-hcn',
      OriginalFilename: 'win-hcn.exe',
      FileVersion: `${version.replace(/-.*/, '')}.0`,
    });
    const security = 4;
    expect(exe.newHeader.optionalHeaderDataDirectory.get(security)).toMatchObject({
      size: 0,
      virtualAddress: 0,
    });
  });

  test('are as many as docs/comparison.md states', () => {
    const megabytes = Math.round(statSync('dist/win-hcn.exe').size / 1e6);
    const comparison = readFileSync('docs/comparison.md', 'utf8');
    expect(comparison).toContain(`\n| size | ${megabytes} MB | **9 MB** | **9 MB** |`);
  });

  test('make Windows search DLLs in System32 only', () => {
    const bytes = readFileSync('dist/win-hcn.exe');
    expect(bytes.readUInt16LE(placeOfFlags(NtExecutable.from(bytes)))).toBe(0x800);
  });

  test('contain no variables of Node except those of its REPL, test runner, cluster, colors and inspector', () => {
    const text = readFileSync('dist/win-hcn.exe', 'latin1');
    const named = text.matchAll(/\benv\.((?:NODE|OPENSSL|SSL|UV|WATCH)_[A-Z0-9_]+)/g);
    expect([...new Set([...named].map(([, name]) => name))].toSorted()).toEqual([
      'NODE_CLUSTER_SCHED_POLICY',
      'NODE_DISABLE_COLORS',
      'NODE_INSPECT_RESUME_ON_START',
      'NODE_NO_READLINE',
      'NODE_REPL_HISTORY',
      'NODE_REPL_HISTORY_SIZE',
      'NODE_REPL_MODE',
      'NODE_TEST_WORKER_ID',
    ]);
    for (const name of variables) expect(text).not.toMatch(new RegExp(`(?<![\\w$])${name}(?![\\w$])`));
  });

  test('contain no code for the simulated service', () => {
    const text = readFileSync('dist/win-hcn.exe', 'latin1');
    expect(text).toContain('WIN_HCN_LIBRARY');
    expect(text).not.toContain('WIN_HCN_SIMULATED_HNS');
  });
});
