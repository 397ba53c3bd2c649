import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { loadedIn, plant } from './planted.ts';
import { exe, missing, suitePrefix } from './suite.ts';

const folder = 'C:\\opt\\surroundings';
const elsewhere = 'C:\\opt\\elsewhere';
const nowhere = 'C:\\nowhere';

/** Environment variables that affect Node, OpenSSL, libuv, ICU, pkg and Windows programs in general. */
const variables: Readonly<Record<string, string>> = {
  FORCE_COLOR: '3',
  ICU_DATA: nowhere,
  ICU_TIMEZONE_FILES_DIR: nowhere,
  NODE_CHANNEL_FD: 'x',
  NODE_COMPILE_CACHE: `${nowhere}\\cache`,
  NODE_DEBUG: '*',
  NODE_EXTRA_CA_CERTS: `${nowhere}\\ca`,
  NODE_ICU_DATA: nowhere,
  NODE_INSPECT_RESUME_ON_START: '1',
  NODE_OPTIONS: `--require ${folder}\\planted.js --nonsense`,
  NODE_PATH: `${folder}\\node_modules`,
  NODE_REDIRECT_WARNINGS: `${nowhere}\\warnings`,
  NODE_REPL_EXTERNAL_MODULE: `${folder}\\planted.js`,
  NODE_REPL_HISTORY: `${nowhere}\\history`,
  NODE_TEST_CONTEXT: 'child-v8',
  NODE_USE_SYSTEM_CA: '1',
  NODE_V8_COVERAGE: `${nowhere}\\coverage`,
  OPENSSL_CONF: `${nowhere}\\openssl.cnf`,
  OPENSSL_ENGINES: nowhere,
  OPENSSL_MODULES: nowhere,
  PKG_EXECPATH: 'PKG_INVOKE_NODEJS',
  PKG_NATIVE_CACHE_PATH: nowhere,
  QLOGDIR: nowhere,
  SIMDUTF_FORCE_IMPLEMENTATION: 'none',
  SSLKEYLOGFILE: `${nowhere}\\keys`,
  SSL_CERT_DIR: nowhere,
  SSL_CERT_FILE: `${nowhere}\\ca`,
  TEMP: nowhere,
  TMP: nowhere,
  UV_THREADPOOL_SIZE: '0',
  WATCH_REPORT_DEPENDENCIES: '1',
  WIN_HCN_LIBRARY: `${nowhere}\\computenetwork.dll`,
  WIN_HCN_VERSION: '9.9.9',
};

describe.skipIf(missing !== undefined)('the shipped exe does the same', () => {
  let hns: Hns;
  let netns: string;
  let shipped: string;
  const hostPath = (path: string) => suitePrefix().hostPath(path);

  beforeEach(async () => {
    hns = await startHns({ profile: 'ws2022' });
    netns = hns.createNamespace();
    for (const path of [folder, elsewhere, nowhere]) rmSync(hostPath(path), { recursive: true, force: true });
    shipped = suitePrefix().install(hostPath(exe), folder);
    mkdirSync(hostPath(elsewhere));
  });
  afterEach(() => hns.stop());

  const cni = (command: string, environment: Readonly<Record<string, string>> = {}, args: string[] = []) =>
    suitePrefix().run(shipped, args, {
      folder: elsewhere,
      env: {
        WIN_HCN_SIMULATED_HNS: hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: command,
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: netns,
        CNI_IFNAME: 'eth0',
        CNI_PATH: folder,
        ...environment,
      },
      // Queries the version of HNS, which loads vmcompute.dll, and the adapters, which loads iphlpapi.dll.
      stdin: JSON.stringify(example('l2bridge', { loopbackDSR: true })),
    });

  /** Requests that load every library and the validator. */
  async function expectALife(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const version = await cni('VERSION', environment);
    expect(version).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(version.stdout)).toMatchObject({ cniVersion: '1.0.0' });
    const added = await cni('ADD', environment);
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(added.stdout)).toMatchObject({ ips: [{ address: '10.244.1.2/24' }] });
    expect(hns.calls.map((call) => call.function)).toContain('HNSCall');
    expect(await cni('DEL', environment)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(hns.dump()).toMatchObject({ endpoints: [] });
  }

  const addon = expect.stringMatching(/^win-hcn-koffi-[0-9a-f]{16}\.node$/);

  test('with every environment variable that affects Node, and writes no files for them', async () => {
    await expectALife(variables);
    expect(existsSync(hostPath(nowhere))).toBe(false);
    expect(readdirSync(hostPath(elsewhere))).toEqual([]);
    expect(readdirSync(hostPath(folder))).toEqual([addon, 'win-hcn.exe']);
  });

  test.each([[['--eval', 'process.exit(7)']], [[`${folder}\\planted.js`]], [['--version']]])(
    'with %j on its command line',
    async (args) => {
      plant(hostPath(folder));
      expect(await cni('DEL', {}, args)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
      expect(loadedIn(hostPath(folder))).toEqual([]);
    },
  );

  test.each([
    ['beside it', folder],
    ['in its working directory', elsewhere],
  ])(
    'with libraries, addons, scripts and settings planted %s, and loads none of them',
    async (_, planted) => {
      plant(hostPath(planted));
      await expectALife();
      expect(loadedIn(hostPath(planted))).toEqual([]);
    },
  );

  test('while planted files leave a mark if they are loaded', async () => {
    plant(hostPath(elsewhere));
    cpSync(findWindowsBinaries().node, hostPath(`${folder}\\node.exe`));
    const load = "try { process.dlopen({ exports: {} }, './koffi.node'); } catch {} require('./planted.js');";
    const node = `${folder}\\node.exe`;
    expect(await suitePrefix().run(node, ['-e', load], { folder: elsewhere })).toMatchObject({ exitCode: 0 });
    expect(loadedIn(hostPath(elsewhere))).toEqual(['koffi.node.loaded', 'planted.js.loaded']);
  });
});
