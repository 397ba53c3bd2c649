import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { failure, runCli } from './run-cli.ts';

const network = '11111111-2222-4333-8444-555555555555';
const endpoint = '66666666-7777-4888-9999-aaaaaaaaaaaa';
/** Clears the screen, hides text, starts a new line, switches to red and reverses letters. */
const hostile = 'evil\u001b[2J\u001b[8m\r\nFAIL\u009b31m\u202e\u001b[31m';
const shown = 'evil\\u001b[2J\\u001b[8m\\u000d\\u000aFAIL\\u009b31m\\u202e\\u001b[31m';
const SchemaVersion = { Major: 2, Minor: 0 };

let node: Node;
beforeEach(async () => {
  node = await startNode();
  const Subnets = [{ IpAddressPrefix: '10.1.0.0/24' }];
  const Ipams = [{ Type: 'Static', Subnets }];
  await node.hcn.createNetwork(network, { Name: hostile, Type: 'L2Bridge', SchemaVersion, Ipams });
  const pod = node.newPod('web');
  node.hns.attachContainer(pod.netns, 'web');
  await node.hcn.createEndpoint(network, endpoint, {
    HostComputeNetwork: network,
    Name: hostile,
    SchemaVersion,
  });
  await node.hcn.addEndpoint(pod.netns, endpoint);
});
afterEach(() => node.stop());

const run = (words: readonly string[], width?: number) =>
  runCli(words, { system: node.outside, ...(width !== undefined && { width }) });

/** Characters that no name may send to a terminal. */
const harmful = /(?!\n)[\p{Cc}\p{Cf}]|^FAIL/mu;

describe('control characters in HCN names do not reach a terminal', () => {
  test.each([
    ['ls'],
    ['ls', '-o', 'wide'],
    ['show', 'endpoint', endpoint],
    ['show', 'network', network],
    ['show', 'pod', 'web'],
    ['show', 'web'],
    ['trace', 'web', '8.8.8.8'],
    ['network', 'delete', network],
  ])('%j', async (...words) => {
    const { stdout, stderr } = await run(words);
    expect(stdout + stderr).toContain(shown);
    expect(stdout + stderr).not.toMatch(harmful);
    const { stdout: narrow, stderr: warnings } = await run(words, 200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own styles
    expect((narrow + warnings).replaceAll(/\u001b\[(?:1|2|22|33|39)m/g, '')).not.toMatch(harmful);
  });

  test('but JSON keeps them', async () => {
    const { stdout: json } = await run(['ls', 'networks', '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject({ networks: [{ id: network, name: hostile }] });
    expect(json).not.toMatch(harmful);
  });
});

test('control characters in arguments do not reach a terminal', async () => {
  expect(await run(['show', 'pod', hostile])).toEqual(
    failure(
      1,
      `win-hcn: HCN has no pod "${shown}", or its name is unknown. Run win-hcn ls --remote to list all objects.`,
    ),
  );
  const { stderr } = await run(['show', 'ip', hostile]);
  expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});
