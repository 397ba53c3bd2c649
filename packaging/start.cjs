/**
 * The main script of the exe. Runs win-hcn.cjs, an asset, which loads the other bundles with `require`. Each bundle has a code cache for
 * each command that runs it: V8 then compiles only functions that train.cjs did not run. Node's own `useCodeCache` is only for the main
 * script, and without the functions that run later.
 */

const { getAssetKeys, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

/** The command line starts with the bundle that answers VERSION. */
const command = process.env.CNI_COMMAND || 'VERSION';

/** The bundles that ran, by file name. */
const modules = new Map();

function load(name) {
  if (!name.startsWith('./')) return require(name);
  const filename = name.slice(2);
  const loaded = modules.get(filename);
  if (loaded !== undefined) return loaded.exports;
  const module = { exports: {} };
  modules.set(filename, module);
  const source = Buffer.from(getRawAsset(filename)).latin1Slice();
  compile(source, filename).runInThisContext()(load, module, process.execPath, process);
  return module.exports;
}

function compile(source, filename) {
  const cache = `${filename}.${command}.cache`;
  if (!getAssetKeys().includes(cache)) return new Script(source, { filename });
  const script = new Script(source, { filename, cachedData: Buffer.from(getRawAsset(cache)) });
  // src/version.ts reports it.
  globalThis.winHcnCodeCache = script.cachedDataRejected ? 'rejected' : 'used';
  return script;
}

load('./win-hcn.cjs');
