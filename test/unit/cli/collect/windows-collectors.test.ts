import { expect, test } from 'vitest';
import { windowsCollectors } from '../../../../src/cli/collect/windows-collectors.ts';
import type { ScriptResult } from '../../../../src/cli/terminal/powershell.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';

const calls: { script: string; seconds: number }[] = [];
const collectors = windowsCollectors({
  ...terminal,
  powershell: async (script, seconds): Promise<ScriptResult> => {
    calls.push({ script, seconds });
    return { stdout: '===== a  \r\n  b\t \r\n' };
  },
});

test('a script runs each command separately, with its errors in its output', async () => {
  calls.length = 0;
  await collectors.find(({ name }) => name === 'routes')?.collect();
  expect(calls).toEqual([
    {
      script: [
        '"===== route print"',
        'try { & { route.exe print } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }',
        '"===== Get-NetRoute"',
        'try { & { Get-NetRoute -IncludeAllCompartments | Format-Table -AutoSize CompartmentId, ifIndex, InterfaceAlias, DestinationPrefix, NextHop, RouteMetric, InterfaceMetric, Store } 2>&1 | Out-String -Width 40000 } catch { "failed: $_" }',
        'exit 0',
      ].join('\n'),
      seconds: 30,
    },
  ]);
});

test.each(collectors)(
  '$name has a file without padding, a longer time limit than its script, and a script that fits a command line',
  async (collector) => {
    calls.length = 0;
    const { files } = await collector.collect();
    expect(files.map(({ path, bytes }) => [path, String(Buffer.from(bytes))])).toEqual([
      [`windows/${collector.name}.txt`, '===== a\n  b\n'],
    ]);
    const [{ script, seconds } = { script: '', seconds: 0 }] = calls;
    expect(collector.seconds).toBeGreaterThan(seconds);
    // Windows allows 32,767 characters: https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
    expect(Buffer.from(script, 'utf16le').toString('base64').length).toBeLessThan(32_000);
  },
);
