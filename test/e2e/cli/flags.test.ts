import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newProgram } from '../../../src/cli/main.ts';
import { newSession } from '../../../src/cli/terminal/session.ts';
import { terminal } from '../../../src/cli/terminal/terminal.ts';
import { system } from '../../../src/system.ts';
import { version } from '../../../src/version.ts';
import { doctorEnvironment } from './doctor-node.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { failure, type Printed, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeAll(async () => {
  node = await startInventoryNode();
});
afterAll(() => node.stop());

const conf = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};

function run(line: string, width?: number): Promise<Printed> {
  const environment = doctorEnvironment(node);
  return runCli(line.split(' '), {
    ...environment,
    files: {
      ...environment.files,
      'net.conf': JSON.stringify(conf),
      'wrong.conf': '{"subnet": 1}',
      'result.json': '{"ips":[]}',
      'C:\\temp\\other.txt': '',
    },
    environment: { NO_COLOR: '1' },
    ...(width !== undefined && { width }),
  });
}

const container = '--container x1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
const podFlags: Readonly<Record<string, string>> = {
  add: container,
  del: container,
  check: `${container} --prev-result result.json`,
  gc: '--keep-none --yes',
};

/** Each command with a text as an argument, as an option, and as the value of each option. */
function* linesWith(
  text: string,
  command: Command,
  path: readonly string[] = [],
): Generator<readonly string[]> {
  yield [...path, text];
  yield [...path, `--${text}`];
  const values = command.registeredArguments.map((one) => one.argChoices?.[0] ?? 'net.conf');
  for (const { long, required } of command.options)
    if (required) yield [...path, ...values, long ?? '', text];
  for (const one of command.commands) yield* linesWith(text, one, [...path, one.name()]);
}

test.each(['x\r\nFAIL\u001b[31m.zip', 'x\r\nFAIL.conf'])('no command prints %j as it is', async (text) => {
  const environment = doctorEnvironment(node);
  const files = { ...environment.files, 'net.conf': JSON.stringify(conf), 'x\r\nFAIL.conf': '{"mtu": "a"}' };
  const program = newProgram(newSession(system, terminal, () => undefined));
  const printing: unknown[] = [];
  for (const words of linesWith(text, program)) {
    const { stdout, stderr } = await runCli(words, { ...environment, files });
    if (/^FAIL(?! )|[^\P{Cc}\n]/mu.test(stdout + stderr)) printing.push(words);
  }
  expect(printing).toEqual([]);
});

/** Commands that print data. */
const commands = [
  'ls',
  'ls endpoints',
  'show ip 10.244.1.2',
  'gc',
  'doctor',
  'explain 0x803b002f',
  'version',
  'trace 0e12d1 8.8.8.8:53/udp',
  'config check net.conf',
  'config plan net.conf',
  'debug cni status --conf net.conf',
  'debug probe --row callerIds --yes',
];

describe('-o works with', () => {
  test.each(commands)('%s', async (command) => {
    const table = await run(`${command} -o table`);
    const wide = await run(`${command} -o wide`);
    const json = await run(`${command} -o json`);
    const withoutTimes = ({ stdout }: Printed) => stdout.replaceAll(/\d+(\.\d+)?/g, '0');
    expect(withoutTimes(table)).toBe(withoutTimes(await run(command)));
    expect(`${wide.stdout}${wide.stderr}`).not.toBe('');
    expect(new Set([table, wide, json].map(({ exitCode }) => exitCode)).size).toBe(1);
  });

  test('no other format, and the same words for all commands', async () => {
    expect(await run('trace a b -o xml')).toEqual(
      failure(
        2,
        "win-hcn: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, wide, json.",
        "Run 'win-hcn trace --help' for usage.",
      ),
    );
  });
});

/** The names of all members, except of those of a document. */
function memberNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...(name === 'document' ? [] : memberNames(member)),
  ]);
}

describe('-o json prints one object with a version and members in camel case', () => {
  const all = [
    ...commands,
    'config plan wrong.conf',
    'network describe',
    'show network l2bridge',
    'show 5efcf8b5',
    'show gone --diff 0e12d1',
    'show port 80',
    ...['add', 'del', 'check', 'gc'].map(
      (request) => `debug cni ${request} --conf net.conf ${podFlags[request]}`,
    ),
  ];

  test.each(all)('%s', async (command) => {
    const printed = JSON.parse((await run(`${command} -o json`)).stdout);
    expect(Object.entries(printed)[0]).toEqual(['version', 1]);
    expect(memberNames(printed).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  test('of every command with -o', () => {
    const pathsOf = (command: Command, path: string): readonly string[] => [
      ...(command.options.some(({ long }) => long === '--output') ? [path] : []),
      ...command.commands.flatMap((one) => pathsOf(one, `${path} ${one.name()}`.trim())),
    ];
    const paths = pathsOf(newProgram(newSession(system, terminal, () => undefined)), '');
    expect(paths.filter((path) => !all.some((command) => `${command} `.startsWith(`${path} `)))).toEqual([]);
  });
});

test.each(['version', '-v', '--version'])('%s prints the version', async (words) => {
  expect(await run(words)).toEqual(success(version));
});

describe('a kind of objects has singular, plural and short names', () => {
  test.each([
    ['ls networks', ['ls network', 'ls NET']],
    ['ls services', ['ls svc', 'ls lb', 'ls loadbalancers']],
    ['show pod 0e12d1', ['show po 0e12d1', 'show containers 0e12d1']],
    ['network delete l2bridge', ['networks delete l2bridge', 'net delete l2bridge']],
    ['debug namespace delete ffff', ['debug ns delete ffff']],
  ])('%s is also %j', async (command, others) => {
    const expected = await run(command);
    expect(`${expected.stdout}${expected.stderr}`).not.toBe('');
    for (const other of others) expect(await run(other), other).toEqual(expected);
  });

  test('and no others', async () => {
    expect(await run('ls routes')).toEqual(
      failure(
        2,
        "win-hcn: command-argument value 'routes' is invalid for argument 'kind'. Allowed choices are pods, networks, endpoints, namespaces, services, leftovers.",
        "Run 'win-hcn ls --help' for usage.",
      ),
    );
  });
});
