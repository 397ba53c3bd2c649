import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Room {
  readonly holds: string;
  /** Rooms or files it may import. */
  readonly imports: readonly string[];
  /** Packages and parts of Node it may import, in any of its files or in the one named. */
  readonly touches: readonly string[];
}

/** Who may import whom. ARCHITECTURE.md shows this table. */
const rooms: Readonly<Record<string, Room>> = {
  main: {
    holds: 'the process',
    imports: ['run', 'system', 'cni', 'hcn/native-library', 'load-cli'],
    touches: [],
  },
  'load-cli': {
    holds: "the command line, which is no part of the plugin's bundle",
    imports: ['cli'],
    touches: ['node:module', 'node:sea', 'node:vm'],
  },
  system: {
    holds: 'everything outside us, as one injectable value',
    imports: ['cni', 'hcn', 'iphlpapi', 'log'],
    touches: ['node:crypto', 'node:child_process in spawn-program', 'node:fs in is-file', 'node:fs in stdio'],
  },
  run: {
    holds: 'request, command, answer',
    imports: ['system', 'host', 'request-log', 'cni', 'config', 'commands', 'log'],
    touches: [],
  },
  'request-log': {
    holds: 'what one request leaves in the log',
    imports: ['system', 'cni', 'config', 'commands', 'ipam', 'log'],
    touches: [],
  },
  host: {
    holds: 'what a command works with, from a configuration and the system',
    imports: ['system', 'cni', 'config', 'hcn', 'iphlpapi', 'ipam', 'commands', 'log'],
    touches: [],
  },
  net: { holds: 'addresses', imports: [], touches: ['ipaddr.js'] },
  cni: { holds: 'the protocol', imports: ['net'], touches: [] },
  config: {
    holds: 'what a configuration means',
    imports: ['cni', 'net', 'hcn/documents'],
    touches: ['ajv (types)', 'leven'],
  },
  hcn: {
    holds: 'documents, client, the library behind them',
    imports: ['net'],
    touches: [
      'koffi in koffi',
      'node:fs in koffi',
      'node:module in koffi',
      'node:path in koffi',
      'node:sea in koffi',
    ],
  },
  iphlpapi: {
    holds: "the host's network adapters, and the library behind them",
    imports: ['net', 'hcn/deadline', 'hcn/koffi', 'hcn/native-library'],
    touches: [],
  },
  plan: {
    holds: 'decisions as values',
    imports: ['config', 'cni', 'net', 'hcn/documents', 'hcn/guid', 'hcn/hresults', 'hcn/without-keys'],
    touches: ['uuid in identity'],
  },
  log: {
    holds: 'the lines of the log, and the file they go to',
    imports: ['hcn', 'iphlpapi', 'ipam'],
    touches: ['node:fs in log-file', 'node:path in log-file'],
  },
  ipam: { holds: 'delegation to an IPAM plugin', imports: ['cni'], touches: [] },
  commands: {
    holds: 'ADD, CHECK, DEL, GC, STATUS, load balancers, namespaces, and what they undo',
    imports: ['plan', 'config', 'cni', 'net', 'hcn', 'iphlpapi', 'ipam'],
    touches: [],
  },
  cli: {
    holds: 'what is used by hand',
    imports: ['run', 'system', 'host', 'cni', 'net', 'config', 'hcn', 'iphlpapi', 'plan', 'commands', 'log'],
    touches: [
      'commander',
      '@humanwhocodes/momoa in json-positions',
      'cli-table3 in table',
      'string-width in table',
      'fflate in collect',
      'smol-toml in doctor',
      'yaml in output',
      'node:util in session',
      'node:child_process in powershell',
      'node:path in collect',
      'node:fs in terminal',
      'node:tty in terminal',
    ],
  },
};

const core = ['net', 'cni', 'config', 'plan'];

const files = globSync('src/**/*.ts')
  .filter((file) => !file.includes('generated'))
  .map((file) => {
    const path = file.slice('src/'.length, -'.ts'.length);
    const text = readFileSync(file, 'utf8');
    const specifiers = [
      ...text.matchAll(/(?:^(?:import|export) (type )?[^;]*?from |^import |import\()'([^']+)'/gms),
    ].map(([, type, specifier = '']) => ({ type: type !== undefined, specifier }));
    return { path, room: path.split('/')[0] ?? '', text, specifiers };
  });

describe.each(files)('src/$path', ({ path, room, text, specifiers }) => {
  test('lives in a room, is small, and imports what its room may', () => {
    const rules = rooms[room];
    expect(rules, `a room called ${room}`).toBeDefined();
    expect(text.split('\n').length).toBeLessThanOrEqual(250);
    for (const { type, specifier } of specifiers) {
      if (specifier.startsWith('.')) {
        const target = normalize(join(dirname(path), specifier)).replace(/\.[jt]s$/, '');
        const targetRoom = target.split('/')[0] ?? '';
        const allowed = [room, ...(rules?.imports ?? [])];
        expect(
          allowed.some((name) => name === targetRoom || name === target),
          `${path} imports ${target}`,
        ).toBe(true);
      } else {
        const touches = rules?.touches ?? [];
        const name = path.split('/')[1];
        const allowed = [specifier, `${specifier} in ${name}`, ...(type ? [`${specifier} (types)`] : [])];
        expect(
          touches.some((touch) => allowed.includes(touch)),
          `${path} imports ${specifier}`,
        ).toBe(true);
      }
    }
  });
});

test.each(files.filter(({ room }) => core.includes(room)))(
  'src/$path has no clock, no chance, no promise and no process',
  ({ text }) => {
    expect(text).not.toMatch(/\basync\b|\bawait\b|\bPromise\b|\bDate\b|Math\.random|\bprocess\.|\bconsole\./);
  },
);

test('ARCHITECTURE.md shows the table', () => {
  const rows = Object.entries(rooms).map(([name, { holds, imports, touches }]) => {
    const file = ['main', 'load-cli', 'system', 'run', 'request-log', 'host'].includes(name)
      ? `src/${name}.ts`
      : `src/${name}/`;
    return `| \`${file}\` | ${holds} | ${imports.join(', ') || '-'} | ${touches.join(', ') || '-'} |`;
  });
  expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(rows.join('\n'));
});
