import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { cliModules } from './cli/modules.ts';

interface Module {
  readonly contains: string;
  /** Modules or files it may import. */
  readonly imports: readonly string[];
  /** Packages and parts of Node it may import, in any of its files or in the file or folder named. */
  readonly touches: readonly string[];
}

/** Which module may import which. */
const modules: Readonly<Record<string, Module>> = {
  main: {
    contains: 'the process: answers VERSION, and loads the bundle of the plugin or the command line',
    imports: ['plugin/main', 'plugin/outcome', 'cli/main', 'system/stdio', 'cni/version', 'version'],
    touches: [],
  },
  version: { contains: 'the version of this build', imports: [], touches: [] },
  system: {
    contains: 'everything outside the process, as one injectable value',
    imports: ['cni', 'hcn', 'iphlpapi', 'log'],
    touches: ['node:child_process in spawn-program', 'node:fs'],
  },
  plugin: {
    contains: 'request to answer: run, request log, command context',
    imports: ['system', 'json', 'cni', 'config', 'hcn', 'iphlpapi', 'ipam', 'steps', 'commands', 'log'],
    touches: [],
  },
  json: { contains: 'reads the members of JSON objects', imports: [], touches: [] },
  net: { contains: 'addresses, protocol numbers', imports: [], touches: [] },
  cni: { contains: 'the protocol', imports: ['json', 'net'], touches: [] },
  config: {
    contains: 'reads a configuration: schema, dialects',
    imports: ['json', 'cni', 'net', 'hcn/documents'],
    touches: ['leven'],
  },
  hcn: {
    contains: 'documents, client, the library behind them',
    imports: ['json', 'net', 'cni/error'],
    touches: [
      'koffi in koffi',
      'node:fs in koffi',
      'node:module in koffi',
      'node:path in koffi',
      'node:sea in koffi',
    ],
  },
  iphlpapi: {
    contains: "the host's network adapters and routes, and the library behind them",
    imports: ['net', 'cni/error', 'hcn/deadline', 'hcn/koffi', 'hcn/native-library'],
    touches: [],
  },
  model: {
    contains: 'identity, ownership, leftovers and readiness of HCN objects',
    imports: ['config', 'cni', 'net', 'hcn/documents', 'hcn/guid'],
    touches: ['uuid in identity'],
  },
  plan: {
    contains: 'HCN documents, how HNS differs from them, and the steps of load balancers',
    imports: ['model', 'config', 'cni', 'net', 'hcn/documents', 'hcn/guid', 'hcn/hresults', 'steps/step'],
    touches: [],
  },
  log: {
    contains: 'the lines of the log, and the file they go to',
    imports: ['cni/error', 'hcn', 'iphlpapi', 'ipam'],
    touches: ['node:fs in log-file', 'node:path in log-file'],
  },
  ipam: { contains: 'delegation to an IPAM plugin', imports: ['json', 'cni'], touches: [] },
  commands: {
    contains: 'ADD, CHECK, DEL, GC, STATUS, networks, endpoints, namespaces',
    imports: ['steps', 'plan', 'model', 'config', 'cni', 'net', 'hcn', 'iphlpapi', 'ipam'],
    touches: [],
  },
  steps: {
    contains: 'changes as values: the table of steps, execution, preview, rollback',
    imports: ['plan', 'model', 'config', 'cni', 'net', 'hcn', 'iphlpapi', 'ipam'],
    touches: [],
  },
  cli: {
    contains: 'the command line',
    imports: [
      'plugin',
      'system',
      'json',
      'version',
      'cni',
      'net',
      'config',
      'hcn',
      'iphlpapi',
      'plan',
      'model',
      'ipam',
      'steps',
      'commands',
      'log',
    ],
    touches: [
      'commander',
      'jsonc-parser in conflist/config-file',
      'string-width in terminal/wrap',
      'fflate in collect',
      'smol-toml in containerd',
      'node:util in terminal/session',
      'node:path in capture',
      'node:path in collect',
      'node:path in conflist/files',
      'node:child_process in terminal/run-program',
      'node:path in terminal/run-program',
      'node:path in terminal/read-file',
      'node:fs in terminal/read-file',
      'node:fs in terminal/terminal',
      'node:os in terminal/terminal',
      'node:path in terminal/files',
      'node:path in terminal/windows-path',
      'node:timers/promises in terminal/terminal',
      'node:tty in terminal/terminal',
      'node:path in containerd',
      'node:child_process in install',
      'node:crypto in install',
      'node:fs in install',
      'node:https in install',
      'node:net in install',
      'node:path in install',
      'node:sea in install',
      'node:timers/promises in install',
    ],
  },
};

const core = ['json', 'net', 'cni', 'config', 'model', 'plan'];

function moduleOf(path: string): string {
  return path.split('/')[0] ?? '';
}

const files = globSync('src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.includes('generated'))
  .map((file) => {
    const path = file.slice('src/'.length, -'.ts'.length);
    const text = readFileSync(file, 'utf8');
    const specifiers = [
      ...text.matchAll(/(?:^(?:import|export) [^;]*?from |^import |import\()'([^']+)'/gms),
    ].map(([, specifier = '']) => specifier);
    const targets = specifiers
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => normalize(join(dirname(path), specifier)).replace(/\.[jt]s$/, ''));
    const packages = specifiers.filter((specifier) => !specifier.startsWith('.'));
    return { path, module: moduleOf(path), text, targets, packages };
  });

describe.each(files)('src/$path', ({ path, module, text, targets, packages }) => {
  test('is in a module, is small, and imports what its module may', () => {
    const rules = modules[module];
    expect(rules, `a module called ${module}`).toBeDefined();
    expect(text.split('\n').length).toBeLessThanOrEqual(250);
    const { imports = [], touches = [] } = rules ?? {};
    for (const target of targets) {
      const allowed = [module, ...imports];
      expect(
        allowed.some((name) => name === moduleOf(target) || name === target),
        `${path} imports ${target}`,
      ).toBe(true);
    }
    for (const name of packages) {
      const [, folder, ...rest] = path.split('/');
      const allowed = [name, `${name} in ${folder}`, `${name} in ${[folder, ...rest].join('/')}`];
      expect(
        touches.some((touch) => allowed.includes(touch)),
        `${path} imports ${name}`,
      ).toBe(true);
    }
  });
});

/** The names that a name leads to, also by way of others. */
function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [start];
  for (let name = pending.pop(); name !== undefined; name = pending.pop())
    for (const next of graph.get(name) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        pending.push(next);
      }
  return reached;
}

/** The names that lead back to themselves. */
function onCircles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...graph.keys()].filter((name) => reachableFrom(name, graph).has(name));
}

test('no file imports itself by way of others, not even a type', () => {
  expect(onCircles(new Map(files.map(({ path, targets }) => [path, targets])))).toEqual([]);
});

describe('src/cli', () => {
  const folderOf = (path: string) => path.split('/')[1] ?? '';
  const imports = files
    .filter(({ module }) => module === 'cli')
    .flatMap(({ path, targets }) =>
      targets
        .filter((target) => moduleOf(target) === 'cli' && folderOf(target) !== folderOf(path))
        .map((target) => ({ path, target })),
    );

  test('a file imports what the table lets its module import', () => {
    const refused = imports.filter(
      ({ path, target }) => !cliModules[folderOf(path)]?.imports.includes(folderOf(target)),
    );
    expect(refused).toEqual([]);
  });

  test('the table has each module, and only imports that exist', () => {
    const modulesOfCli = new Set(
      files.filter(({ module }) => module === 'cli').map(({ path }) => folderOf(path)),
    );
    const used = [...modulesOfCli].map((name) => {
      const targets = imports.filter(({ path }) => folderOf(path) === name);
      return [name, [...new Set(targets.map(({ target }) => folderOf(target)))].toSorted()] as const;
    });
    const table = Object.entries(cliModules).map(([name, { imports }]) => [name, imports] as const);
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(used));
  });

  test('no module imports itself by way of others', () => {
    expect(
      onCircles(new Map(Object.entries(cliModules).map(([name, { imports }]) => [name, imports]))),
    ).toEqual([]);
  });
});

test.each(files.filter(({ module }) => core.includes(module)))(
  'src/$path has no clock, no chance, no promise and no process',
  ({ text }) => {
    expect(text).not.toMatch(/\basync\b|\bawait\b|\bPromise\b|\bDate\b|Math\.random|\bprocess\.|\bconsole\./);
  },
);

describe('ARCHITECTURE.md', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8');

  test('has under 120 lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThan(120);
  });

  test('follows an ADD through at most seven files', () => {
    const [, section = ''] = page.split('## Follow an ADD in seven files');
    const [list = ''] = section.split('\n## ');
    const steps = [...list.matchAll(/^\d\. `(src\/[^`]+\.ts)`/gm)].map(([, file]) => file);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.length).toBeLessThanOrEqual(7);
  });

  test('names files that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|packaging|schemas)\/[^`*]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test('only src/steps knows the clients that change HCN and the adapters', () => {
  const allowed = ['hcn/', 'iphlpapi/', 'steps/', 'system', 'log/'];
  const others = files.filter(({ path }) => !allowed.some((prefix) => path.startsWith(prefix)));
  expect(
    others.filter(({ text }) => /\b(?:HcnClient|IpHelper)\b/.test(text)).map(({ path }) => path),
  ).toEqual([]);
});

test("only probe's calls change HCN without a step", () => {
  const changing = files.filter(({ text }) =>
    /\blibrary\.(?:create|createEndpoint|modify|delete)\(/.test(text),
  );
  expect(changing.map(({ path }) => path).toSorted()).toEqual([
    'cli/probe/hcn-calls',
    'hcn/client',
    'hcn/library',
    'hcn/open-objects',
  ]);
});
