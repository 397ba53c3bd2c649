import { describe, expect, test } from 'vitest';
import {
  delegateAdd,
  delegateCommand,
  type IpamPlugin,
  ipamReader,
  PluginError,
} from '../../../src/ipam/delegate.ts';
import { locatePlugin } from '../../../src/ipam/locate-plugin.ts';

const path = '/opt/cni/bin/static';
const valid = '{"cniVersion":"1.0.0","ips":[{"address":"10.244.1.5/24"}]}';

/** A plugin that prints `stdout`, and the parameters of its runs. */
function printing(stdout: string | undefined, exitCode: number | null = 0) {
  const runs: unknown[] = [];
  const plugin: IpamPlugin = {
    type: 'static',
    path,
    environment: { CNI_COMMAND: 'STATUS', CNI_IFNAME: 'eth0' },
    stdin: '{"x":1}',
    spawn: async (...given) => {
      runs.push(given);
      return { exitCode, stdout };
    },
  };
  return { plugin, runs };
}

const run = (command: string, seconds: number) => [
  path,
  { CNI_COMMAND: command, CNI_IFNAME: 'eth0', WIN_HCN_DELEGATING: 'static' },
  '{"x":1}',
  seconds,
];

describe('an IPAM plugin gets the environment of the request with its own command, stdin and time limit', () => {
  test.each<readonly [string, (plugin: IpamPlugin) => Promise<unknown>, number]>([
    ['ADD', (plugin) => delegateAdd(plugin), 60],
    ['CHECK', (plugin) => ipamReader(plugin).check(), 60],
    ['STATUS', (plugin) => ipamReader(plugin).status(7), 7],
  ])('%s', async (command, runs, seconds) => {
    const printed = printing(valid);
    await runs(printed.plugin);
    expect(printed.runs).toEqual([run(command, seconds)]);
  });
});

test.each([
  ['[]', 'the result of IPAM plugin "static"'],
  ['{"ips":1,"cniVersion":"1.0.0"}', 'the result of IPAM plugin "static"'],
])('the result %s is refused, and the message names the plugin', async (stdout, source) => {
  await expect(delegateAdd(printing(stdout).plugin)).rejects.toThrow(source);
});

const failed = 'running IPAM plugin "static" (DEL): failed with code';
const expected = 'expected an integer from 1 to 4294967295';

/** What the plugin prints, and the error that follows. */
test.each<readonly [string, object]>([
  [
    '{"code":1,"msg":"m","details":"d"}',
    {
      code: 1,
      message: 'running IPAM plugin "static" (DEL): m: update it, or correct cniVersions',
      details: 'd',
    },
  ],
  ['{"code":2,"msg":"m"}', { code: 2, message: 'm', details: '' }],
  ['{"code":4294967295,"msg":"m","details":7}', { code: 4294967295, message: 'm', details: '' }],
  ['{"code":0,"msg":"m"}', { code: 103, message: 'm', details: `${failed} 0, ${expected}` }],
  ['{"code":1.5,"msg":"m"}', { code: 103, message: 'm', details: `${failed} 1.5, ${expected}` }],
  [
    '{"code":4294967296,"msg":"m","details":"d"}',
    { code: 103, message: 'm', details: `${failed} 4294967296, ${expected}; d` },
  ],
  [
    '{"code":"7","msg":" "}',
    { code: 103, message: `${failed} "7" without a message`, details: `${failed} "7", ${expected}` },
  ],
  [
    `{"code":"${'x'.repeat(100)}","msg":"m"}`,
    { code: 103, message: 'm', details: `${failed} "${'x'.repeat(79)}, ${expected}` },
  ],
])(
  'the error object %s keeps its message and a valid code, and names the plugin that lacks a version',
  async (stdout, error) => {
    const running = delegateCommand(printing(stdout, 1).plugin, 'DEL');
    await expect(running).rejects.toMatchObject(error);
    // The log has no text of the plugin, which may quote secrets.
    const logged = expect.stringMatching(/^running IPAM plugin "static" \(DEL\): failed with code \S+$/);
    await expect(running).rejects.toMatchObject({ unquoted: logged });
    await expect(running).rejects.toBeInstanceOf(PluginError);
  },
);

test.each<readonly [string, string | undefined, number | null, string, string]>([
  ['has no code', '{"msg":"m"}', 1, 'ended with exit code 1 without an error object', '{"msg":"m"}'],
  ['ends too early', '', null, 'killed, at the latest after 60 s, without an error object', ''],
  [
    'is cut after 500 characters',
    'x'.repeat(501),
    2,
    'ended with exit code 2 without an error object',
    'x'.repeat(500),
  ],
  [
    'is longer than 1 MiB',
    undefined,
    0,
    `killed because it printed more than 1048576 bytes (1 MiB): check the output of ${path}`,
    '',
  ],
])('output without an error object is code 103: it %s', async (_, stdout, exitCode, end, details) => {
  const running = delegateCommand(printing(stdout, exitCode).plugin, 'DEL');
  await expect(running).rejects.toMatchObject({
    code: 103,
    message: `running IPAM plugin "static" (DEL): ${end}`,
    details,
    unquoted: stdout === undefined ? undefined : `running IPAM plugin "static" (DEL): ${end}`,
  });
  await expect(running).rejects.not.toBeInstanceOf(PluginError);
});

describe('an IPAM plugin that is not found', () => {
  test.each([[undefined], ['']])('because CNI_PATH is %j is code 4', (cniPath) => {
    expect(() => locatePlugin('static', { cniPath, windows: true, isFile: () => true })).toThrow(
      expect.objectContaining({
        code: 4,
        message: 'CNI_PATH is missing, expected the folders that contain IPAM plugin "static"',
      }),
    );
  });

  test.each([
    [
      true,
      'C:\\a;C:\\b\\;rel',
      'checked C:\\a\\static.exe, C:\\a\\static, C:\\b\\static.exe, C:\\b\\static; rel',
    ],
    [false, '/a:/b/:rel', 'checked /a/static, /b/static; rel'],
  ])('is code 7 with each path that was checked (Windows: %s)', (windows, cniPath, details) => {
    expect(() => locatePlugin('static', { cniPath, windows, isFile: () => false })).toThrow(
      expect.objectContaining({
        code: 7,
        message: `IPAM plugin "static" is not in any folder of CNI_PATH ${cniPath}`,
        details: `${details} is not a local absolute path`,
      }),
    );
  });
});

test('an IPAM plugin that cannot be started is code 103, with the reason and what to check', async () => {
  const cause = new Error('spawn EACCES');
  const plugin = { ...printing('').plugin, spawn: () => Promise.reject(cause) };
  await expect(delegateCommand(plugin, 'DEL')).rejects.toMatchObject({
    code: 103,
    message: `running IPAM plugin "static" (DEL): cannot start ${path}: spawn EACCES`,
    details: 'it must be an executable for this machine that this account may run: try to start it',
    cause,
  });
});

test('an IPAM plugin that assigns no address is code 103, with what to check', async () => {
  await expect(delegateAdd(printing('{"cniVersion":"1.1.0","ips":[]}').plugin)).rejects.toMatchObject({
    code: 103,
    message: 'IPAM plugin "static" returned no address',
    details: 'check the ranges in /ipam',
  });
});
