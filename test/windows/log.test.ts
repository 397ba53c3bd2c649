import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const logs = 'C:\\ProgramData\\win-hcn\\logs';
const byDefault = `${logs}\\win-hcn.log`;

describe.skipIf(missing !== undefined)("win-hcn.exe's log", () => {
  let hns: Hns;
  beforeEach(async () => {
    hns = await startHns();
    rmSync(suitePrefix().hostPath('C:\\ProgramData\\win-hcn'), { recursive: true, force: true });
  });
  afterEach(() => hns.stop());

  const add = (config: object, environment: Readonly<Record<string, string>> = {}) =>
    suitePrefix().run(exe, [], {
      env: {
        WIN_HCN_SIMULATED_HNS: hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: hns.createNamespace(),
        CNI_IFNAME: 'eth0',
        CNI_PATH: 'C:\\opt\\cni\\bin',
        ...environment,
      },
      stdin: JSON.stringify(config),
    });

  const eventsIn = (path: string) =>
    readFileSync(suitePrefix().hostPath(path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event);

  test('is in ProgramData, and not beside the exe', async () => {
    await add(example('l2bridge', { logFile: '' }), { CNI_CONTAINERID: 'neighbour' });
    expect(await add(example('l2bridge'))).toMatchObject({ exitCode: 0 });
    expect(eventsIn(byDefault)).toEqual(['request', 'configuration', ...Array(6).fill('call'), 'answer']);
    const folder = suitePrefix().hostPath('C:\\opt\\cni\\bin');
    expect(readdirSync(folder).filter((name) => name.endsWith('.log'))).toEqual([]);
  });

  test('is where the configuration says, and the error says where', async () => {
    rmSync(suitePrefix().hostPath('C:\\logs of ours'), { recursive: true, force: true });
    const logFile = 'C:\\logs of ours\\win-hcn.log';
    hns.inject({ function: 'HcnCreateNetwork', effect: { hresult: 0x80070005 } });
    const { exitCode, stdout } = await add(example('l2bridge', { logFile }));
    expect(exitCode).toBe(1);
    const [request = ''] = /[0-9a-f]{8}$/.exec(JSON.parse(stdout).details) ?? [];
    expect(JSON.parse(stdout).details).toContain(`logged in ${logFile} as request ${request}`);
    expect(readFileSync(suitePrefix().hostPath(logFile), 'utf8')).toContain(`"request":"${request}"`);
    expect(existsSync(suitePrefix().hostPath(byDefault))).toBe(false);
  });

  test('is rotated while another process writes to it, which continues with its file', async () => {
    const config = example('l2bridge');
    hns.inject({ function: 'HcnModifyNamespace', effect: { hold: 'before' } });
    const standing = hns.nextStanding();
    const first = add(config, { CNI_CONTAINERID: 'first' });
    await standing;
    truncateSync(suitePrefix().hostPath(byDefault), 10 * 1024 * 1024);
    expect(await add(config, { CNI_CONTAINERID: 'second' })).toMatchObject({ exitCode: 0 });
    hns.release();
    expect(await first).toMatchObject({ exitCode: 0 });
    const [aside = '', ...others] = readdirSync(suitePrefix().hostPath(logs)).toSorted();
    expect(aside).toMatch(/^win-hcn-\d{8}T\d{9}Z\.log$/);
    expect(others).toEqual(['win-hcn.log']);
    expect(eventsIn(byDefault)).toEqual(['request', 'configuration', ...Array(6).fill('call'), 'answer']);
    const [, afterwards = ''] = readFileSync(suitePrefix().hostPath(`${logs}\\${aside}`), 'utf8').split(
      /\0+/,
    );
    const last = afterwards
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(last.map(({ event }) => event)).toEqual(['call', 'answer']);
  });

  test('that cannot be written does not fail a request', async () => {
    const folder = suitePrefix().hostPath(logs);
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, 'a file in the place of the folder');
    expect(await add(example('l2bridge'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(folder, 'utf8')).toBe('a file in the place of the folder');
  });
});
