import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticodeHash, signatureOf } from '../../packaging/authenticode.mjs';
import { bundles } from '../../packaging/bundles.mjs';
import { assembleExe } from '../../packaging/exe.mjs';
import { writeScripts } from '../../packaging/scripts.mjs';
import { type Sign, signerOf } from '../../packaging/sign.mjs';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { example } from '../e2e/example.ts';
import { startHns } from '../simulator/hns.ts';
import { loopbackAdapter } from './loopback-adapter.ts';
import { createSigner } from './signing-authority.ts';
import { missing, suitePrefix } from './suite.ts';

const toolsMissing = ['osslsigncode', 'openssl'].some((tool) => spawnSync(tool, ['version']).error);
if (toolsMissing)
  process.stderr.write('The tests of signing are skipped: run packaging/install-osslsigncode.sh as root\n');

const password = 'correct horse';
const inside = 'C:\\opt\\signed';

describe.skipIf(missing !== undefined || toolsMissing)('a signed win-hcn.exe', () => {
  let folder: string;
  let signer: ReturnType<typeof createSigner>;
  let settings: Record<string, string | undefined>;
  /** What was signed, by its name: before and after. */
  let files: Record<string, { readonly unsigned: Buffer; readonly signed: Buffer }>;
  let exe: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'win-hcn-signing-'));
    signer = createSigner(folder, password);
    settings = { ...process.env, WIN_HCN_SIGN_PFX: signer.pfx, WIN_HCN_SIGN_PASSWORD: password };
    files = {};
    const sign = signerOf(settings);
    const recording: Sign = async (unsigned, name) => {
      const signed = await sign(unsigned, name);
      files[name] = { unsigned, signed };
      return signed;
    };
    const bytes = await assemble(recording);
    rmSync(suitePrefix().hostPath(inside), { recursive: true, force: true });
    exe = suitePrefix().install(write('win-hcn.exe', bytes), inside);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  async function assemble(sign: Sign): Promise<Buffer> {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const programs = Object.values(bundles(version)).map(({ outfile }) => outfile);
    writeScripts(programs, join(folder, 'scripts'));
    const { exe: assembled } = await assembleExe(folder, { binaries: findWindowsBinaries(), version, sign });
    return assembled;
  }

  function write(name: string, bytes: Uint8Array): string {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  }

  function recorded(name: string): { readonly unsigned: Buffer; readonly signed: Buffer } {
    const file = files[name];
    if (file === undefined) throw new Error(`${name} was not signed`);
    return file;
  }

  /** What osslsigncode prints about a signature, and whether it is valid. */
  function verify(file: string, ...options: string[]): { readonly valid: boolean; readonly output: string } {
    const args = ['verify', '-in', file, '-CAfile', signer.certificate, ...options];
    const { status, stdout, stderr } = spawnSync('osslsigncode', args, { encoding: 'utf8' });
    return { valid: status === 0 && stdout.includes('Signature verification: ok'), output: stdout + stderr };
  }

  test('has a valid signature, and so has the addon: their Authenticode hashes are those that osslsigncode computes', () => {
    expect(Object.keys(files)).toEqual(['koffi.node', 'win-hcn.exe']);
    for (const [name, { unsigned, signed }] of Object.entries(files)) {
      const { valid, output } = verify(write(name, signed));
      expect(valid, output).toBe(true);
      const [, digest = ''] = /^Calculated message digest : ([0-9A-F]+)/m.exec(output) ?? [];
      expect([authenticodeHash(signed), authenticodeHash(unsigned)]).toEqual(
        Array(2).fill(digest.toLowerCase()),
      );
      expect(signatureOf(unsigned)).toBe('none');
    }
  });

  test('has the same resources as before, the SEA blob among them, and the signed addon in it', () => {
    const { unsigned, signed } = recorded('win-hcn.exe');
    const [before, after] = [unsigned, signed].map((bytes) =>
      NtExecutableResource.from(NtExecutable.from(bytes, { ignoreCert: true })).entries.map((entry) => ({
        ...entry,
        bin: Buffer.from(entry.bin),
      })),
    );
    expect(after?.map(({ type, id }) => `${type} ${id}`)).toEqual(['10 NODE_SEA_BLOB', '16 1', '24 1']);
    expect(after?.every(({ bin }, index) => bin.equals(before?.[index]?.bin ?? Buffer.alloc(0)))).toBe(true);
    expect(after?.[0]?.bin.indexOf(recorded('koffi.node').signed)).toBeGreaterThan(0);
  });

  test('adds a pod under Wine, with the signed addon beside it, whose name has the first digits of its hash', async () => {
    const hns = await startHns({ adapters: [loopbackAdapter] });
    try {
      const env = {
        WIN_HCN_SIMULATED_HNS: hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: hns.createNamespace(),
        CNI_IFNAME: 'eth0',
        CNI_PATH: inside,
      };
      const stdin = JSON.stringify(example('l2bridge'));
      const { exitCode, stdout, stderr } = await suitePrefix().run(exe, [], { env, stdin });
      expect({ exitCode, stderr, ips: JSON.parse(stdout).ips }).toEqual({
        exitCode: 0,
        stderr: '',
        ips: [{ interface: 0, address: '10.244.1.2/24', gateway: '10.244.1.1' }],
      });
    } finally {
      await hns.stop();
    }
    const addons = readdirSync(suitePrefix().hostPath(inside)).filter((name) => name.endsWith('.node'));
    const { signed } = recorded('koffi.node');
    const hash = createHash('sha256').update(signed).digest('hex');
    expect(addons).toEqual([`win-hcn-koffi-${hash.slice(0, 16)}.node`]);
    expect(readFileSync(suitePrefix().hostPath(`${inside}\\${addons[0]}`)).equals(signed)).toBe(true);
  });
});
