import { expect, test } from 'vitest';
import { isHarmless, newCleaner } from '../../../../src/cli/collect/allow-list.ts';
import { windowsParts } from '../../../../src/cli/collect/windows.ts';
import type { ScriptResult } from '../../../../src/cli/terminal/run-program.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';

test.each<[string, boolean]>([
  ['vEthernet (Ethernet 2)', true],
  ['C:\\k\\a b.log', true],
  ['10.244.1.0/24', true],
  ['{F472CB12-5818-55AC-8FD0-70832A4A207F}', true],
  [`${'c0ffee'.repeat(11)}_l2bridge_eth0`, true],
  ['http://proxy:3128/', true],
  ['http://me:x@proxy:3128/', false],
  ['a=b', false],
  ['a?b', false],
  ['a;b', false],
  ['"a"', false],
  ['a\nb', false],
  ...[
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'xoxb-123456789012-abcdef',
    'AKIAIOSFODNN7EXAMPLE',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    'abcdef.0123456789abcdef',
    '-----BEGIN PRIVATE KEY-----',
    'Basic dXNlcjpwYXNzd29yZA',
    'password: hunter2',
    'DB_PASSWORD: hunter22',
    'api_key:abcdef123',
    'ASIAIOSFODNN7EXAMPLE',
  ].map((text): [string, boolean] => [text, false]),
  ['sg.example.com', true],
  ['Microsoft Basic Display Adapter', true],
  ['the token required', true],
  ['a'.repeat(260), true],
  ['a'.repeat(261), false],
])('%j under a known name is kept: %s', (text, kept) => {
  expect(isHarmless(text)).toBe(kept);
});

test('names are known in any case, and replaced values are counted', () => {
  const { clean, count } = newCleaner();
  expect(clean([{ MTU: 1, subNets: [{ x: 2 }], unknown: 3, other: null, '': '' }, 'a=b', 4])).toEqual([
    { MTU: 1, subNets: [{ x: '<omitted>' }], unknown: '<omitted>', other: null, '': '' },
    '<omitted>',
    4,
  ]);
  expect(count()).toBe(3);
});

test('what a pod or a runtime passes is not kept, even if it looks harmless', () => {
  const { clean } = newCleaner();
  expect(clean({ args: { a: 'x' }, runtimeConfig: 'x', prevResult: 'x' })).toEqual({
    args: '<omitted>',
    runtimeConfig: '<omitted>',
    prevResult: '<omitted>',
  });
});

test.each(['Password', 'client_secret', 'token', 'Key', 'credentials', 'authorization'])(
  'a value replaced under %s is hidden in other texts, the longest first',
  (name) => {
    const { clean, hide } = newCleaner();
    clean({ [name]: ['hunter', { user: 'hunter2', no: 'hunte' }], plain: 'harmless word' });
    expect(hide('hunter2 hunter hunte $& harmless word')).toBe('<omitted> <omitted> hunte $& harmless word');
  },
);

test('a part of a path that is replaced is hidden in other texts, where separators may differ', () => {
  const { clean, hide } = newCleaner();
  clean({ dataDir: 'C:/data/x?sig=hunter2/' });
  expect(hide('10 reserved in C:\\data\\x?sig=hunter2')).toBe('10 reserved in C:\\data\\<omitted>');
});

const calls: { script: string; seconds: number }[] = [];
const parts = windowsParts({
  ...terminal,
  powershell: async (script, seconds): Promise<ScriptResult> => {
    calls.push({ script, seconds });
    return { stdout: '===== a  \r\n  b\t \r\n' };
  },
});

test('a script runs each command separately, with its errors in its output', async () => {
  calls.length = 0;
  await parts.find(({ name }) => name === 'network')?.collect();
  const [{ script = '', seconds } = {}] = calls;
  expect([...script.split('\n').slice(0, 4), script.split('\n').at(-1), seconds]).toEqual([
    '"===== ipconfig.exe /all"',
    'try { & { ipconfig.exe /all } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }',
    '"===== route.exe print"',
    'try { & { route.exe print } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }',
    'exit 0',
    60,
  ]);
});

test.each(parts)(
  '$name has a file without padding, a longer time limit than its script, and a script that fits a command line',
  async (part) => {
    calls.length = 0;
    expect(await part.collect()).toEqual({
      files: [{ path: `windows/${part.name}.txt`, text: '===== a\n  b\n' }],
      problems: [],
    });
    const [{ script, seconds } = { script: '', seconds: 0 }] = calls;
    expect(part.seconds).toBeGreaterThan(seconds);
    // Windows allows 32,767 characters: https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
    expect(Buffer.from(script, 'utf16le').toString('base64').length).toBeLessThan(32_000);
  },
);
