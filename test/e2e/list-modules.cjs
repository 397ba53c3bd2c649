// Preloaded (node -r): prints to stderr which of Node's public modules the program loads. koffi is its addon, as in the exe.

const { writeSync } = require('node:fs');
const Module = require('node:module');
const { arch, dlopen, moduleLoadList, platform } = process;

const own = Module._load;
Module._load = (request, parent, isMain) => {
  if (request !== 'koffi') return own(request, parent, isMain);
  const file = require.resolve(`@koromix/koffi-${platform}-${arch}/${platform}_${arch}/koffi.node`);
  const addon = { exports: {} };
  dlopen(addon, file);
  return addon.exports;
};

const before = new Set(moduleLoadList);
process.on('exit', () => {
  const loaded = moduleLoadList.filter((name) => !before.has(name));
  const names = loaded.map((name) => name.replace(/^NativeModule /, ''));
  const visible = names.filter((name) => !/^Internal|^internal\//.test(name));
  writeSync(2, JSON.stringify(visible.sort()));
});
