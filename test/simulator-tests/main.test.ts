import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../simulator/main.ts', import.meta.url));

test.each([
  ['a port that is not a number', ['--port', 'abc'], /^--port is a number [^\n]*\.\n$/],
  ['a port that is too high', ['--port', '65536'], /^--port is a number [^\n]*\.\n$/],
  [
    'an unknown release',
    ['--profile', 'ws2016'],
    /^--profile is one of ws2019, ws2022, ws2025, hns15\.5\.\n$/,
  ],
  ['an unknown option', ['--prt', '1'], /^[^\n]*'--prt'[^\n]*\n$/],
])('%s is refused in one sentence', async (_, options, sentence) => {
  const service = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  service.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  expect(await once(service, 'close')).toEqual([1, null]);
  expect(stderr).toMatch(sentence);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the simulator with exit code 0', async (signal) => {
  const service = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String(await once(service.stdout, 'data'))).toMatch(/^export WIN_HCN_LIBRARY=/);
  service.kill(signal);
  expect(await once(service, 'exit')).toEqual([0, null]);
});
