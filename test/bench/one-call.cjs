// A program that loads koffi's addon beside it, makes one HCN call and ends: the minimum cost of STATUS.

const { dirname, join } = require('node:path');
const { isSea } = require('node:sea');

const addon = { exports: {} };
process.dlopen(addon, join(isSea() ? dirname(process.execPath) : __dirname, 'koffi.node'));
const koffi = addon.exports;
const library = process.env.WIN_HCN_LIBRARY ?? 'C:\\Windows\\System32\\computenetwork.dll';
const text = koffi.out(koffi.pointer('str16'));
const enumerate = koffi.load(library).func('HcnEnumerateNetworks', 'int32', ['str16', text, text]);
enumerate.async('{"SchemaVersion":{"Major":2,"Minor":0}}', [null], [null], (error, hresult) => {
  process.exitCode = error || hresult !== 0 ? 1 : 0;
});
