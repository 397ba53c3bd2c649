// Loaded before win-hcn: reads of stdin and pauses never end, and nothing keeps the process running meanwhile.

const fs = require('node:fs');
const timers = require('node:timers/promises');

fs.read = () => undefined;
timers.setTimeout = () => new Promise(() => undefined);
const { setTimeout } = globalThis;
globalThis.setTimeout = (...given) => setTimeout(...given).unref();
