/**
 * Signs executables with Authenticode: node packaging/sign.mjs FILE ... signs files in place. `npm run release -- --sign` signs the addon
 * before it is embedded, and the exe. Settings come from the environment:
 *
 * - WIN_HCN_SIGN_PFX: a file with the certificate and its key, for osslsigncode. WIN_HCN_SIGN_PASSWORD: its password. Default: none.
 * - WIN_HCN_SIGN_COMMAND, instead of WIN_HCN_SIGN_PFX: a command that signs a file in place, such as
 *   `signtool sign /fd SHA256 /tr {timestamp} /td SHA256 /sha1 THUMBPRINT {file}`. No shell runs it; double quotes group words with spaces.
 *   It is run with WIN_HCN_SIGN_PASSWORD in its environment; `{password}` puts the password on its command line.
 * - WIN_HCN_SIGN_FROM, instead of both: a folder with the signed files of a release, to reproduce that release.
 * - WIN_HCN_SIGN_TIMESTAMP_URL: an RFC 3161 timestamp server. Default: no timestamp, and the signature expires with the certificate.
 */

import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { authenticodeHash, checksumsOf, signatureOf } from './authenticode.mjs';
import { copySignatures } from './copied-signatures.mjs';
import { replaceFile } from './replace-file.mjs';

/** @typedef {(bytes: Buffer, name: string) => Promise<Buffer>} Sign returns a file's bytes with a signature */

/**
 * Returns a copy of an environment, and deletes the settings from the original: other programs that this process starts do not inherit them.
 * @param {Record<string, string | undefined>} environment
 */
export function takeSettings(environment) {
  const copy = { ...environment };
  for (const name of Object.keys(copy)) if (name.startsWith('WIN_HCN_SIGN_')) delete environment[name];
  return copy;
}

/**
 * Returns the signing function that an environment describes. Throws if a setting is missing or invalid, before anything is built.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Sign}
 */
export function signerOf(environment) {
  const { WIN_HCN_SIGN_PFX: pfx, WIN_HCN_SIGN_COMMAND: command, WIN_HCN_SIGN_FROM: folder } = environment;
  const given = Object.entries({
    WIN_HCN_SIGN_PFX: pfx,
    WIN_HCN_SIGN_COMMAND: command,
    WIN_HCN_SIGN_FROM: folder,
  })
    .filter(([, value]) => value)
    .map(([name]) => name);
  if (given.length > 1) throw new Error(`${given.join(' and ')} are set; unset all but one of them`);
  if (given.length === 0)
    throw new Error(
      'signing requires WIN_HCN_SIGN_PFX or WIN_HCN_SIGN_COMMAND; set one of them, or build without --sign',
    );
  if (folder) return copySignatures(folder);
  const settings = {
    password: environment.WIN_HCN_SIGN_PASSWORD ?? '',
    timestamp: environment.WIN_HCN_SIGN_TIMESTAMP_URL ?? '',
    environment,
  };
  const prepare = pfx ? osslsigncode(pfx, settings) : fromTemplate(command, settings);
  return (bytes, name) => signWith(prepare, settings, bytes, name);
}

/** The options for osslsigncode. It reads the password from its standard input, so that no process list shows it. */
function osslsigncode(pfx, { password, timestamp, environment }) {
  const found = statSync(pfx, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`WIN_HCN_SIGN_PFX: ${pfx} is ${found ? 'not a file' : 'missing'}`);
  const { WIN_HCN_SIGN_PASSWORD, ...env } = environment;
  return (file) => ({
    program: 'osslsigncode',
    args: [
      ...['sign', '-h', 'sha256', '-pkcs12', pfx],
      // osslsigncode 2.5 does not know `-` as a name of the standard input.
      ...(password === '' ? ['-pass', ''] : ['-readpass', '/dev/stdin']),
      ...['-n', 'win-hcn'],
      ...(timestamp === '' ? [] : ['-ts', timestamp]),
      ...['-in', file, '-out', `${file}.signed`],
    ],
    stdin: password,
    env,
    output: `${file}.signed`,
  });
}

/** The command of WIN_HCN_SIGN_COMMAND, with values for its placeholders. */
function fromTemplate(template, { password, timestamp, environment }) {
  const words = wordsOf(template);
  const has = (placeholder) => words.some((word) => word.includes(placeholder));
  const invalid = (problem) => new Error(`WIN_HCN_SIGN_COMMAND ${problem}`);
  if ((template.match(/"/g)?.length ?? 0) % 2 === 1) throw invalid('has an unmatched double quote');
  if (!has('{file}')) throw invalid('does not contain {file}, the file to sign');
  if (words.some((word, index) => /^[/-]p$/i.test(word) && words[index + 1] !== '{password}'))
    throw invalid('contains a password; write /p {password} and set WIN_HCN_SIGN_PASSWORD');
  if (has('{password}') && password === '') throw invalid('contains {password}; set WIN_HCN_SIGN_PASSWORD');
  if (has('{timestamp}') !== (timestamp !== ''))
    throw invalid(
      timestamp === ''
        ? 'contains {timestamp}; set WIN_HCN_SIGN_TIMESTAMP_URL'
        : 'does not contain {timestamp}, but WIN_HCN_SIGN_TIMESTAMP_URL is set; add /tr {timestamp} /td SHA256',
    );
  return (file) => {
    const values = { file, password, timestamp };
    const [program, ...args] = words.map((word) =>
      word.replaceAll(/\{(file|password|timestamp)\}/g, (_, name) => values[name]),
    );
    return { program, args, stdin: '', env: environment, output: file };
  };
}

/** The words of a command: separated by spaces, except between double quotes. A backslash has no special meaning. */
function wordsOf(command) {
  return [...command.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}

async function signWith(prepare, { password, timestamp }, bytes, name) {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-sign-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    const call = prepare(file);
    await run(call, name, folder, password);
    const signed = readFileSync(call.output);
    checkSignature(bytes, signed, `${call.program} did not sign ${name} correctly`, timestamp !== '');
    return signed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws if Windows would refuse the signed file, or if more than the signature differs from the unsigned one. */
function checkSignature(bytes, signed, problem, wantsTimestamp) {
  const signature = signatureOf(signed);
  if (signature === 'none') throw new Error(`${problem}: the file has no signature`);
  if (authenticodeHash(signed) !== authenticodeHash(bytes))
    throw new Error(`${problem}: bytes changed that are not part of a signature`);
  const { stored, computed } = checksumsOf(signed);
  if (stored !== computed)
    throw new Error(`${problem}: the header's checksum is ${stored}, expected ${computed}`);
  if (wantsTimestamp && signature !== 'signed and timestamped')
    throw new Error(`${problem}: the signature has no timestamp. Check the options of WIN_HCN_SIGN_COMMAND`);
}

/** Lines of osslsigncode that are omitted from errors: its last line, and OpenSSL's, whose numbers another line explains. */
const repetition = /^(Failed|[0-9A-F]+:error:.*)$/;

/** Runs a signing tool. An error contains its output without the password. */
async function run({ program, args, stdin, env }, name, folder, password) {
  const input = unlinkedFile(join(folder, 'stdin'), stdin);
  try {
    const { code, output } = await outputOf(program, args, { env, stdio: [input, 'pipe', 'pipe'] });
    if (code === 0) return;
    const shown = password === '' ? output : output.replaceAll(password, '***');
    const lines = shown.split(/\r?\n/).filter((line) => line.trim() !== '' && !repetition.test(line));
    const reason = lines.map((line) => line.trim()).join('; ') || 'it printed nothing';
    throw new Error(`${program} could not sign ${name} (exit code ${code}): ${reason}${hintFor(output)}`);
  } finally {
    closeSync(input);
  }
}

/** An open file with a text, and without a name, so that a kill leaves no file with the password. */
function unlinkedFile(path, text) {
  writeFileSync(path, text, { mode: 0o600 });
  const descriptor = openSync(path, 'r');
  rmSync(path);
  return descriptor;
}

/** @returns {Promise<{ code: number | string, output: string }>} the exit code or the signal, and stdout and stderr together */
function outputOf(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, windowsHide: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('error', ({ code }) =>
      reject(new Error(`cannot run ${program} (${code}). ${install(program)}`)),
    );
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

function install(program) {
  return program === 'osslsigncode'
    ? 'Install it: as root on Debian, sh packaging/install-osslsigncode.sh'
    : 'Check the first word of WIN_HCN_SIGN_COMMAND';
}

/** The usual remedies, by what a tool prints. */
const hints = [
  [/password|mac verify/i, 'Check WIN_HCN_SIGN_PASSWORD'],
  [/timestamp|HTTP|CURL/i, 'Check WIN_HCN_SIGN_TIMESTAMP_URL, or retry: the server may be busy'],
  [/PKCS#12|certificate/i, 'Check WIN_HCN_SIGN_PFX'],
];

function hintFor(output) {
  const [, hint] = hints.find(([pattern]) => pattern.test(output)) ?? [];
  return hint === undefined ? '' : `. ${hint}`;
}

async function main(files) {
  if (files.length === 0) throw new Error('usage: node packaging/sign.mjs FILE ...');
  const sign = signerOf(process.env);
  for (const file of files) {
    const signed = await sign(readFileSync(file), basename(file));
    replaceFile(file, signed, statSync(file).mode);
    process.stdout.write(
      `${file}: ${signatureOf(signed)}, Authenticode SHA-256 ${authenticodeHash(signed)}\n`,
    );
  }
}

if (import.meta.main)
  await main(process.argv.slice(2)).catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
