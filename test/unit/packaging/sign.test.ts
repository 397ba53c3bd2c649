import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { authenticodeHash, signatureOf } from '../../../packaging/authenticode.mjs';
import { signerOf, takeSettings } from '../../../packaging/sign.mjs';
import { tinyExecutable, withTable } from './tiny-executable.ts';

const folder = mkdtempSync(join(tmpdir(), 'win-hcn-signer-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('TEMP', folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('settings are taken from an environment, so that only the signing tool gets them', () => {
  const environment: Record<string, string | undefined> = { PATH: '/bin', WIN_HCN_SIGN_PASSWORD: 'secret' };
  expect(takeSettings(environment)).toEqual({ PATH: '/bin', WIN_HCN_SIGN_PASSWORD: 'secret' });
  expect(environment).toEqual({ PATH: '/bin' });
});

describe('settings are refused before anything is built:', () => {
  test.each([
    [
      'none',
      {},
      'signing requires WIN_HCN_SIGN_PFX or WIN_HCN_SIGN_COMMAND; set one of them, or build without --sign',
    ],
    [
      'two tools',
      { WIN_HCN_SIGN_PFX: 'a.pfx', WIN_HCN_SIGN_COMMAND: 'signtool sign {file}' },
      'WIN_HCN_SIGN_PFX and WIN_HCN_SIGN_COMMAND are set; unset all but one of them',
    ],
    ['a missing PFX', { WIN_HCN_SIGN_PFX: '/no/a.pfx' }, 'WIN_HCN_SIGN_PFX: /no/a.pfx is missing'],
    ['a folder as PFX', { WIN_HCN_SIGN_PFX: '.' }, 'WIN_HCN_SIGN_PFX: . is not a file'],
    [
      'a command without a file',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign' },
      'WIN_HCN_SIGN_COMMAND does not contain {file}, the file to sign',
    ],
    [
      'an unmatched quote',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign "{file}' },
      'WIN_HCN_SIGN_COMMAND has an unmatched double quote',
    ],
    [
      'a literal password',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign /f a.pfx /p secret {file}' },
      'WIN_HCN_SIGN_COMMAND contains a password; write /p {password} and set WIN_HCN_SIGN_PASSWORD',
    ],
    [
      'a command without its password',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign /f a.pfx /p {password} {file}' },
      'WIN_HCN_SIGN_COMMAND contains {password}; set WIN_HCN_SIGN_PASSWORD',
    ],
    [
      'a command without its timestamp server',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign /tr {timestamp} {file}' },
      'WIN_HCN_SIGN_COMMAND contains {timestamp}; set WIN_HCN_SIGN_TIMESTAMP_URL',
    ],
    [
      'a timestamp server that the command does not use',
      { WIN_HCN_SIGN_COMMAND: 'signtool sign {file}', WIN_HCN_SIGN_TIMESTAMP_URL: 'http://127.0.0.1' },
      'WIN_HCN_SIGN_COMMAND does not contain {timestamp}, but WIN_HCN_SIGN_TIMESTAMP_URL is set; add /tr {timestamp} /td SHA256',
    ],
  ])('%s', (_, environment, message) => {
    expect(() => signerOf(environment)).toThrow(new Error(message));
  });
});

describe('a command', () => {
  const script = join(import.meta.dirname, 'fake-signer.ts');
  const bytes = tinyExecutable(3);
  const sign = (mode: string, more: string, settings: object = {}) => {
    const command = `"${process.execPath}" "${script}" "${mode}" {file} ${more}`;
    return signerOf({ ...process.env, WIN_HCN_SIGN_COMMAND: command, ...settings })(bytes, 'win-hcn.exe');
  };
  const timestamp = { WIN_HCN_SIGN_TIMESTAMP_URL: 'http://127.0.0.1:9/tsa' };

  test('signs a copy of the file, and leaves no other file', async () => {
    const signed = await sign('signs', '');
    expect(signatureOf(signed)).toBe('signed');
    expect(authenticodeHash(signed)).toBe(authenticodeHash(bytes));
    expect(signatureOf(bytes)).toBe('none');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('signs with a timestamp', async () => {
    expect(signatureOf(await sign('signs', '{timestamp}', timestamp))).toBe('signed and timestamped');
  });

  test('that fails is an error with its output but not the password, which it gets in its environment', async () => {
    const settings = { ...timestamp, WIN_HCN_SIGN_PASSWORD: 'hunter 2' };
    await expect(sign('fails', '{timestamp} /p {password} "/d a b"', settings)).rejects.toThrow(
      new Error(
        `${process.execPath} could not sign win-hcn.exe (exit code 3): SignTool Error: arguments ` +
          '["http://127.0.0.1:9/tsa","/p","***","/d a b"]; the environment has WIN_HCN_SIGN_PASSWORD. Check WIN_HCN_SIGN_PASSWORD',
      ),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that does not exist is an error', async () => {
    const signer = signerOf({ WIN_HCN_SIGN_COMMAND: '/no/signtool sign {file}' });
    await expect(signer(bytes, 'win-hcn.exe')).rejects.toThrow(
      new Error('cannot run /no/signtool (ENOENT). Check the first word of WIN_HCN_SIGN_COMMAND'),
    );
  });

  test.each([
    ['does nothing', '', {}, 'the file has no signature'],
    ['changes a byte', '', {}, 'bytes changed that are not part of a signature'],
    ['forgets the checksum', '', {}, /^.*: the header's checksum is 0, expected \d+$/],
    [
      'signs',
      '"" {timestamp}',
      timestamp,
      'the signature has no timestamp. Check the options of WIN_HCN_SIGN_COMMAND',
    ],
  ])('that %s is refused', async (mode, more, settings, reason) => {
    const message = typeof reason === 'string' ? `did not sign win-hcn.exe correctly: ${reason}` : reason;
    await expect(sign(mode, more, settings)).rejects.toThrow(message);
  });
});

describe('signatures of a release', () => {
  const [exe, addon] = [tinyExecutable(8), tinyExecutable(16)];
  const signed = withTable(exe, Buffer.alloc(16, 1));
  let release: string;
  beforeAll(() => {
    release = mkdtempSync(join(folder, 'release-'));
    mkdirSync(join(release, 'amd64'));
    writeFileSync(join(release, 'amd64', 'win-hcn.exe'), signed);
    writeFileSync(join(release, 'unsigned.node'), addon);
    writeFileSync(join(release, 'README.md'), 'text');
  });
  afterAll(() => rmSync(release, { recursive: true }));

  test('are copied to the same files, so that the release is reproduced without its certificate', async () => {
    expect(await signerOf({ WIN_HCN_SIGN_FROM: release })(exe, 'win-hcn.exe')).toEqual(signed);
  });

  test('fit no other files', async () => {
    await expect(signerOf({ WIN_HCN_SIGN_FROM: release })(addon, 'koffi.node')).rejects.toThrow(
      new Error(
        `${release} contains no signature of this koffi.node: the release was not built from this commit and its packages`,
      ),
    );
  });

  test('are missing from unsigned files', () => {
    rmSync(join(release, 'amd64'), { recursive: true });
    expect(() => signerOf({ WIN_HCN_SIGN_FROM: release })).toThrow(
      new Error(
        `WIN_HCN_SIGN_FROM: ${release} contains no signed executables; extract the zip files of the release there`,
      ),
    );
  });
});
