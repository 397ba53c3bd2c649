/**
 * Adds to package-lock.json what a registry that carries only some platforms' binaries makes npm leave out, and without
 * which `npm ci` refuses the lock everywhere: optional packages pinned to one version, for a platform their name says.
 *
 * Removes the versions of Node that packages require: npm compares them with the Node that runs npm, and warns (EBADENGINE), but
 * the packages run in the pinned Node of `node_modules/.bin`.
 */

import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const [, os, cpu] = /(android|darwin|freebsd|linux|openharmony|win32)-(\w+)/.exec(name) ?? [];
    if (lock.packages[`node_modules/${name}`] !== undefined || os === undefined) continue;
    const libc = name.includes('musl') ? { libc: ['musl'] } : {};
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      dev: true,
      ...libc,
      optional: true,
      os: [os],
    };
  }
}

for (const [name, entry] of Object.entries(lock.packages)) if (name !== '') delete entry.engines;

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
