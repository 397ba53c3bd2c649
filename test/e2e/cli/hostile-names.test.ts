import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Node, startNode } from '../node.ts';
import { runCli } from './run-cli.ts';

const network = '11111111-2222-4333-8444-555555555555';
const endpoint = '66666666-7777-4888-9999-aaaaaaaaaaaa';
/** Clears the screen, hides what follows, begins a line of its own, turns red, and turns its letters round. */
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
    HostComputeNamespace: pod.netns,
    SchemaVersion,
  });
});
afterEach(() => node.stop());

const run = (words: readonly string[], width?: number) =>
  runCli(words, { system: node.outside, ...(width !== undefined && { width }) });

/** What no name may bring into a terminal; our own styles are no part of it. */
const harmful = /(?!\n)[\p{Cc}\p{Cf}]|^FAIL/mu;

describe('names that HCN has do nothing to a terminal but to be read', () => {
  test.each([
    ['ls'],
    ['ls', '-o', 'wide'],
    ['show', 'endpoint', endpoint],
    ['show', 'network', network],
    ['show', 'pod', 'web'],
    ['explain-nat', 'web', '8.8.8.8'],
    ['explain-acl', 'web', 'out', '8.8.8.8'],
    ['graph'],
    ['network', 'delete', network],
  ])('%j', async (...words) => {
    const { stdout, stderr } = await run(words);
    expect(stdout + stderr).toContain(shown);
    expect(stdout + stderr).not.toMatch(harmful);
    const { stdout: narrow, stderr: told } = await run(words, 200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own
    expect((narrow + told).replaceAll(/\u001b\[(?:1|2|22|33|39)m/g, '')).not.toMatch(harmful);
  });

  test('in what has changed, too', async () => {
    const pauses = [() => node.hcn.deleteEndpoint(endpoint)];
    const { stdout } = await runCli(['ls', 'endpoints', '--watch'], { system: node.outside, pauses });
    expect(stdout).toContain(`- endpoint 66666666 web ${shown} 10.1.0.1/24`);
    expect(stdout).not.toMatch(harmful);
  });

  test('and programs get them as they are', async () => {
    const { stdout: json } = await run(['ls', 'networks', '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject([{ id: network, name: hostile }]);
    const { stdout: yaml } = await run(['ls', 'networks', '-o', 'yaml']);
    expect(parse(yaml)).toMatchObject([{ id: network, name: hostile }]);
    expect(json + yaml).not.toMatch(harmful);
  });

  test('and Tab does not offer what nobody can type', async () => {
    expect(await run(['__complete', '=', 'show', 'network'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const { stdout } = await run(['__complete', '=', 'show', 'endpoint']);
    expect(stdout).toBe(`${endpoint}\tendpoint ${shown}\n`);
  });
});

test('what a person types does no more', async () => {
  expect(await run(['show', 'pod', hostile])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `win-hcn: HCN has no pod "${shown}". List all objects with win-hcn ls -o wide --remote.\n`,
  });
  const { stderr } = await run(['show', 'ip', hostile]);
  expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});
