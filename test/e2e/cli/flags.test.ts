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
    files: { ...environment.files, 'net.conf': JSON.stringify(conf), 'C:\\temp\\other.txt': '' },
    environment: { NO_COLOR: '1' },
    ...(width !== undefined && { width }),
  });
}

/** Every command that prints data. */
const commands = [
  'ls',
  'ls endpoints',
  'show ip 10.244.1.2',
  'gc',
  'doctor',
  'explain 0x803b002f',
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
    expect(() => JSON.parse(json.stdout)).not.toThrow();
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
    const program = newProgram(newSession(system, terminal, () => undefined));
    const found = program.commands.filter(({ options }) => options.some(({ long }) => long === '--output'));
    const names = found.map((one) => one.name());
    expect(names).toEqual(['doctor', 'explain', 'ls', 'show', 'trace', 'gc']);
  });
});

test.each(['version', '-v', '--version'])('%s prints the version', async (words) => {
  expect(await run(words)).toEqual(success(version));
});

describe('a kind of objects has singular, plural and short names', () => {
  test.each([
    ['ls networks', ['ls network', 'ls NET']],
    ['ls loadbalancers', ['ls lb']],
    ['show pod 0e12d1', ['show po 0e12d1', 'show containers 0e12d1']],
    ['network delete l2bridge', ['networks delete l2bridge', 'net delete l2bridge']],
    ['debug namespace delete ffff', ['debug ns delete ffff']],
  ])('%s is also %j', async (command, others) => {
    const expected = await run(command);
    expect(`${expected.stdout}${expected.stderr}`).not.toBe('');
    for (const other of others) expect(await run(other), other).toEqual(expected);
  });

  test('and no others', async () => {
    expect(await run('ls services')).toEqual(
      failure(
        2,
        "win-hcn: command-argument value 'services' is invalid for argument 'kind'. Allowed choices are networks, endpoints, namespaces, loadbalancers.",
        "Run 'win-hcn ls --help' for usage.",
      ),
    );
  });
});
