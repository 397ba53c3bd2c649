/**
 * node train.cjs FOLDER COMMAND: runs the bundles for a command, as start.cjs does, and writes next to each bundle that ran V8's code cache
 * of the functions that ran. HCN, files and programs are replaced by small fakes, because only which functions run matters. One process
 * trains for one command: V8 shares what it compiled between equal scripts. A usual request that runs other functions than these needs
 * a request of its own in `train`.
 */

const fs = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const [, , folder, command] = process.argv;
/** The scripts that ran, by file name. */
const scripts = new Map();

const namespace = '3f0a3a0e-6f3d-4c1b-9d57-27a5c0e5b9d1';
const config = {
  cniVersion: '1.1.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1' }],
  dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
  acls: [
    {
      action: 'Block',
      direction: 'Out',
      protocols: ['TCP'],
      remoteAddresses: ['169.254.169.254'],
      remotePorts: ['80'],
      priority: 100,
    },
  ],
  defaultAction: 'Allow',
  outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] },
  runtimeConfig: { portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }] },
};
const ipam = { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] };

train().then(
  () => {
    for (const [filename, script] of scripts)
      fs.writeFileSync(join(folder, `${filename}.${command}.cache`), script.createCachedData());
  },
  (error) => {
    fs.writeSync(2, `${error.message}\n`);
    process.exitCode = 1;
  },
);

function scriptOf(filename) {
  const script =
    scripts.get(filename) ?? new Script(fs.readFileSync(join(folder, filename), 'latin1'), { filename });
  scripts.set(filename, script);
  return script;
}

/** Runs a request without and one with an IPAM plugin. CHECK needs the result of an ADD. */
async function train() {
  for (const given of [config, { ...config, ipam }]) {
    const prevResult = command === 'CHECK' ? JSON.parse(await answerTo('ADD', given)) : undefined;
    await answerTo(command, { ...given, prevResult, 'cni.dev/valid-attachments': [] });
  }
}

/** Runs one request and resolves with what it prints. Throws if it fails. */
function answerTo(command, given) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const CNI_PATH = process.platform === 'win32' ? 'C:\\bin' : '/bin';
  const variables = { CNI_CONTAINERID: 'c0ffee', CNI_NETNS: namespace, CNI_IFNAME: 'eth0', CNI_PATH };
  const output = [];
  const files = fakeFiles(Buffer.from(JSON.stringify(given)), output);
  const modules = { 'node:fs': files, 'node:child_process': fakePrograms(), 'node:sea': fakeAssets() };
  const own = Object.defineProperties(Object.create(process), {
    env: { value: { WIN_HCN_LIBRARY: '/hcn', CNI_COMMAND: command, ...variables } },
    argv: { value: [process.execPath, 'win-hcn.js'] },
    once: { value: () => undefined },
    dlopen: { value: (loaded) => Object.assign(loaded, { exports: fakeKoffi() }) },
    kill: { value: () => undefined },
    exitCode: {
      get: () => undefined,
      // The plugin sets it before it prints.
      set: (code) =>
        setImmediate(() => {
          const printed = output.join('');
          if (code === 0) resolve(printed);
          else reject(new Error(`training: ${command} failed: ${printed}`));
        }),
    },
  });
  const load = (name) => {
    if (!name.startsWith('./')) return modules[name] ?? require(name);
    const module = { exports: {} };
    scriptOf(name.slice(2)).runInThisContext()(load, module, process.execPath, own);
    return module.exports;
  };
  load('./win-hcn.cjs');
  return promise;
}

/** A stdin with these bytes, a stdout that collects texts, and any file that is asked for. */
function fakeFiles(stdin, stdout) {
  let at = 0;
  const readStdin = (buffer) => {
    const length = stdin.copy(buffer, 0, at, at + buffer.length);
    at += length;
    return length;
  };
  const file = (bigint) => ({
    isFile: () => true,
    isFIFO: () => true,
    isSocket: () => false,
    isCharacterDevice: () => false,
    nlink: bigint ? 1n : 1,
    ino: bigint ? 1n : 1,
    dev: bigint ? 1n : 1,
    size: bigint ? 0n : 0,
  });
  const describe = (_, options) => file(options?.bigint);
  return {
    ...fs,
    readSync: (descriptor, buffer) => (descriptor === 0 ? readStdin(buffer) : 0),
    read: (_, buffer, ...others) => setImmediate(others.at(-1), null, readStdin(buffer)),
    writeSync: (descriptor, bytes) => {
      if (descriptor === 1) stdout.push(String(bytes));
      return bytes.length;
    },
    openSync: () => 3,
    closeSync: () => undefined,
    mkdirSync: () => undefined,
    existsSync: () => true,
    realpathSync: (path) => path,
    fstatSync: describe,
    lstatSync: describe,
    statSync: describe,
  };
}

function fakeAssets() {
  return {
    isSea: () => true,
    getAssetKeys: () => ['win-hcn-koffi-0123456789abcdef.node'],
    getRawAsset: () => new ArrayBuffer(0),
  };
}

/** Programs that print the result of an IPAM plugin. */
function fakePrograms() {
  const result = { cniVersion: '1.1.0', ips: [{ address: '10.244.1.7/24', gateway: '10.244.1.1' }] };
  const spawn = (_path, { env }) => {
    const stream = { on: () => undefined, end: () => undefined, destroy: () => undefined };
    const printed = env.CNI_COMMAND === 'ADD' ? JSON.stringify(result) : '';
    return {
      stdin: stream,
      stderr: stream,
      stdout: { ...stream, on: (event, listener) => event === 'data' && listener(Buffer.from(printed)) },
      on: (event, listener) => (event === 'exit' || event === 'close') && setImmediate(listener, 0),
    };
  };
  return { spawn };
}

/** koffi, with an HCN behind it that has the network, the namespace and the endpoints in `endpoints`. */
function fakeKoffi() {
  const func = (declaration) => {
    const [, name = declaration] = /(\w+)\(/.exec(declaration) ?? [];
    const native = () => 0;
    native.async = (...parameters) => {
      const done = parameters.pop();
      callHcn(name, parameters);
      setImmediate(done, null, 0);
    };
    return native;
  };
  return {
    config: () => undefined,
    disposable: () => undefined,
    out: () => undefined,
    pointer: () => undefined,
    address: () => 0n,
    load: () => ({ func, symbol: () => undefined }),
  };
}

/** The documents of created endpoints by id. */
const endpoints = new Map();

/** A call. Its output parameters are the last ones: the value, and the error record, which stays empty. */
function callHcn(name, parameters) {
  const [, verb, kind] = /^Hcn([A-Z][a-z]+)(\w+?)s?(?:Properties)?$/.exec(name) ?? [];
  const id = parameters.filter(Buffer.isBuffer).map(guidOf)[0];
  const setValue = (value) => {
    parameters.at(-2)[0] = value;
  };
  switch (verb) {
    case undefined:
      parameters.at(-1)[0] = '{"Success":true,"Output":{"Major":15,"Minor":2}}';
      break;
    case 'Enumerate':
      setValue(JSON.stringify(kind === 'Network' ? [namespace] : [...endpoints.keys()]));
      break;
    case 'Open':
      setValue(id);
      break;
    case 'Create':
      endpoints.set(id, { ...JSON.parse(parameters.at(-3)), ID: id });
      setValue(id);
      break;
    case 'Delete':
      endpoints.delete(id);
      break;
    case 'Query':
      setValue(JSON.stringify(documentOf(kind, parameters[0])));
  }
}

function documentOf(kind, ID) {
  if (kind === 'Network') return network(ID);
  const Resources = [...endpoints.keys()].map((Id) => ({ Type: 'Endpoint', Data: { Id } }));
  if (kind === 'Namespace') return { ID, Type: 'Host', Resources };
  const IpConfigurations = [{ IpAddress: '10.244.1.7', PrefixLength: 24 }];
  const assigned = { IpConfigurations, MacAddress: '00-15-5D-00-00-07', HostComputeNamespace: namespace };
  return { ...endpoints.get(ID), ID, ...assigned };
}

function network(ID) {
  const Routes = [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }];
  const Policies = [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }];
  const Subnets = [{ IpAddressPrefix: '10.244.1.0/24', Routes, Policies: [] }];
  return { ID, Name: 'pods', Type: 'L2Bridge', Policies, Ipams: [{ Subnets }], Flags: 0 };
}

function guidOf(bytes) {
  const hex = (from, to) => Buffer.from(bytes.subarray(from, to)).toString('hex');
  const little = (from, to) => Buffer.from(bytes.subarray(from, to)).reverse().toString('hex');
  return [little(0, 4), little(4, 6), little(6, 8), hex(8, 10), hex(10, 16)].join('-');
}
