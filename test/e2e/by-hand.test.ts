import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the console session in CONTRIBUTING works as written', async () => {
  const service = spawn(process.execPath, ['test/simulator/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [printed] = await once(service.stdout, 'data');
    const exports = /^export .*/.exec(String(printed))?.[0] ?? '';
    const session = /```sh\n(export CNI_.*?)```/s.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[1] ?? '';
    const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', `${exports}\n${session}`]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ ips: [{ address: '10.244.1.2/24' }] });
    const control = /HNS_CONTROL=(\S+)/.exec(exports)?.[1];
    expect(await (await fetch(`${control}/dump`)).json()).toMatchObject({
      networks: [{ Name: 'l2bridge' }],
      endpoints: [],
    });
  } finally {
    service.kill('SIGINT');
    expect(await once(service, 'exit')).toEqual([0, null]);
  }
});
