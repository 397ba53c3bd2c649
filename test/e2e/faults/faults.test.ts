import { afterEach, describe, expect, test } from 'vitest';
import { type FaultName, faultNames, faults, startFaultyNode } from './faults.ts';
import type { FaultyNode } from './faulty-node.ts';
import { commandsNaming, type Output, readOutput } from './read-output.ts';

let node: FaultyNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

/** What doctor, config check and show print about a node with these faults. */
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
  expect(Object.keys(output)).toEqual(['doctor', `config check ${file}`]);
  expect(output['doctor']).toMatch(/^0 failed, 0 warnings, 0 unknown, \d+ passed\n\n(PASS .+\n)+$/);
  expect(output[`config check ${file}`]).toBe(
    `${file}: /plugins/0: win-hcn configuration, network type L2Bridge\n${file}: no problems\n`,
  );
  expect(namedIn(output)).toEqual([]);
});

test('show port checks everything on a healthy node', async () => {
  node = await startFaultyNode([]);
  expect(await node.run(['show', 'port', '8053'])).toEqual({
    exitCode: 0,
    stdout:
      'No holder of host port 8053 was found.\n' +
      'For processes, run Get-NetTCPConnection -LocalPort 8053 or Get-NetUDPEndpoint -LocalPort 8053.\n',
    stderr: '',
  });
});

describe('doctor, config check and show name', () => {
  test.each(faultNames)('%s', async (name) => {
    const output = await outputWith([name]);
    expect(namedIn(output), Object.values(output).join('\n')).toContain(name);
  });
});
