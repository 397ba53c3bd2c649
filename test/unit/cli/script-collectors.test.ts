import { expect, test } from 'vitest';
import { scriptCollectors } from '../../../src/cli/collect/script-collectors.ts';
import type { ScriptResult } from '../../../src/cli/powershell.ts';
import { terminal } from '../../../src/cli/terminal.ts';

const asked: { script: string; seconds: number }[] = [];
const collectors = scriptCollectors({
  ...terminal,
  powershell: async (script, seconds): Promise<ScriptResult> => {
    asked.push({ script, seconds });
    return { stdout: '===== a  \r\n  b\t \r\n' };
  },
});

test('a script runs each command by itself, with its errors in its output', async () => {
  asked.length = 0;
  await collectors.find(({ name }) => name === 'routes')?.collect();
  expect(asked).toEqual([
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
  '$name has a file without padding, a later deadline than its script, and a script that fits a command line',
  async (collector) => {
    asked.length = 0;
    const { files } = await collector.collect();
    expect(files.map(({ path, bytes }) => [path, String(Buffer.from(bytes))])).toEqual([
      [`windows/${collector.name}.txt`, '===== a\n  b\n'],
    ]);
    const [{ script, seconds } = { script: '', seconds: 0 }] = asked;
    expect(collector.seconds).toBeGreaterThan(seconds);
    // Windows allows 32,767 characters: https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
    expect(Buffer.from(script, 'utf16le').toString('base64').length).toBeLessThan(32_000);
  },
);
