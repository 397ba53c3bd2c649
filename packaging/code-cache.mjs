/** Adds V8's code caches to the scripts of the exe, with which they start without being compiled. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Prefix } from './wine/prefix.ts';
import { findWine } from './wine/wine.ts';

const train = join(import.meta.dirname, 'train.cjs');

const commands = ['ADD', 'CHECK', 'DEL', 'GC', 'STATUS', 'VERSION'];

/** Makes the caches reproducible. A Node without this option accepts them. */
const options = ['--predictable'];

/**
 * Why this system can never make code caches for an architecture; undefined if it can. Windows on Arm also runs x64.
 * @param {import('./windows-binaries.mjs').Arch} arch
 */
export function neverHasCodeCache(arch) {
  return arch === 'x64' || (process.platform === 'win32' && process.arch === 'arm64')
    ? undefined
    : 'only Windows on Arm runs the node.exe that creates code caches for arm64';
}

/**
 * Writes code caches for Windows next to the scripts in a folder. V8 accepts only a cache of the same V8 for the same system, so Windows'
 * node.exe makes them: on Windows, or elsewhere under Wine. Returns why it could not; undefined if it could. Throws if a script fails.
 * @param {string} folder
 * @param {string} node the path of node.exe
 * @returns {Promise<string | undefined>}
 */
export async function addCodeCaches(folder, node) {
  if (process.platform === 'win32') {
    addOwnCodeCaches(folder, node);
    return undefined;
  }
  const wine = findWine();
  return 'missing' in wine ? wine.missing : trainUnderWine(folder, node, new Prefix(wine, 'packaging'));
}

/** Writes code caches for this operating system. */
export function addOwnCodeCaches(folder, node) {
  for (const command of commands)
    execFileSync(node, [...options, train, folder, command], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function trainUnderWine(folder, node, prefix) {
  await prefix.prepare([]);
  try {
    const inside = 'C:\\packaging';
    rmSync(prefix.hostPath(inside), { recursive: true, force: true });
    for (const name of readdirSync(folder)) prefix.install(join(folder, name), inside);
    const [exe, script] = [node, train].map((file) => prefix.install(file, inside));
    for (const command of commands) {
      const { exitCode, stderr } = await prefix.run(exe, [...options, script, inside, command]);
      if (exitCode !== 0) throw new Error(`node.exe failed to make a code cache: ${stderr.trim()}`);
    }
    const isCache = (name) => name.endsWith('.cache');
    const host = prefix.hostPath(inside);
    for (const name of readdirSync(host).filter(isCache)) copyFileSync(join(host, name), join(folder, name));
    rmSync(host, { recursive: true });
    return undefined;
  } finally {
    await prefix.stop();
  }
}
