import { afterEach, describe, expect, test } from 'vitest';
import { chooseFaults, type FaultName, faultNames, faults, startFaultyNode } from './faults.ts';
import type { FaultyNode } from './faulty-node.ts';
import { commandsNaming, type Output, readOutput } from './read-output.ts';

let node: FaultyNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

/** What doctor, validate and show print about a node with these faults. */
async function outputWith(names: readonly FaultName[]): Promise<Output> {
  node = await startFaultyNode(names);
  return readOutput(node);
}

/** The faults that an output names. */
function namedIn(output: Output): readonly FaultName[] {
  return faultNames.filter((name) => {
    const { namedBy, words } = faults[name];
    return commandsNaming(output, namedBy, words).length > 0;
  });
}

test('the table has twenty faults', () => expect(faultNames).toHaveLength(20));

test('a healthy node has no finding', async () => {
  const output = await outputWith([]);
  const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';
  expect(Object.keys(output)).toEqual(['doctor', `validate ${file}`, `doctor --conf ${file}`]);
  for (const command of ['doctor', `doctor --conf ${file}`])
    expect(output[command]).toMatch(/^0 failed, 0 warnings, 0 unknown, \d+ passed\n\n(PASS .+\n)+$/);
  expect(output[`validate ${file}`]).toBe(
    `${file}: /plugins/0: win-hcn configuration, network type L2Bridge\n${file}: no problems\n`,
  );
  expect(namedIn(output)).toEqual([]);
});

test('show port checks everything on a healthy node', async () => {
  node = await startFaultyNode([]);
  expect(await node.run(['show', 'port', '53'])).toEqual({
    exitCode: 0,
    stdout: 'Host port 53/tcp is free.\nHost port 53/udp is free.\n',
    stderr: '',
  });
});

describe('doctor, validate and show name', () => {
  test.each(faultNames)('%s', async (name) => {
    const output = await outputWith([name]);
    expect(namedIn(output), Object.values(output).join('\n')).toContain(name);
  });
});

const given = process.env['SEED'];
const seeds = given === undefined ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [Number(given)];

describe('doctor, validate and show name six faults at once', () => {
  test.each(seeds)('SEED=%i', async (seed) => {
    const planted = chooseFaults(seed);
    const output = await outputWith(planted);
    expect(planted).toHaveLength(6);
    const missing = planted.filter((name) => !namedIn(output).includes(name));
    expect(missing, `of ${planted.join(', ')}:\n${Object.values(output).join('\n')}`).toEqual([]);
  });

  test('and ten seeds plant every fault', () => {
    const planted = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((seed) => chooseFaults(seed)));
    expect(faultNames.filter((name) => !planted.has(name))).toEqual([]);
  });
});
