import { describe, expect, test } from 'vitest';
import { exe, missing, suitePrefix } from './suite.ts';

describe.skipIf(missing !== undefined)('the shipped exe, by hand', () => {
  test('explains an HRESULT', async () => {
    expect(await suitePrefix().run(exe, ['explain', '0x803b002f'])).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^HCN_E_ADDR_INVALID_OR_RESERVED {2}HRESULT 0x803b002f \(2151350319, -2143616977\)\n {2}says {6}An address /,
      ),
      stderr: '',
    });
  });

  test('ends with 2 for a command it does not have', async () => {
    const { exitCode, stdout, stderr } = await suitePrefix().run(exe, ['explode']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain("win-hcn: unknown command 'explode'\n");
  });
});
