import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runBundle } from '../process.ts';
import { container, type InventoryNode, startInventoryNode, web } from './inventory-node.ts';
import { failure, newGuid, problem, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const namespace = (...words: readonly string[]) =>
  runCli(['debug', 'namespace', ...words], { system: node.outside });
const ids = () => node.hns.dump().namespaces.map(({ ID }) => ID);

describe('namespace create', () => {
  test('prints only the id of the new namespace', async () => {
    const before = ids();
    expect(await namespace('create')).toEqual(success(newGuid));
    expect(ids()).toEqual([...before, newGuid]);
  });

  test('generates a new id in each process', async () => {
    const id = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n$/;
    const create = () => runBundle(node.hns.environment, '', ['debug', 'namespace', 'create']);
    const ended = [await create(), await create()];
    for (const { exitCode, stdout, stderr } of ended)
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(id),
        stderr: '',
      });
    expect(ids()).toEqual(expect.arrayContaining(ended.map(({ stdout }) => stdout.trim())));
    expect(ids()).toHaveLength(4);
  });

  test('accepts an id, and keeps an existing namespace', async () => {
    const id = '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
    expect(await namespace('create', '--id', `{${id.toUpperCase()}}`)).toEqual(success(id));
    const before = ids();
    expect(await namespace('create', '--id', id)).toEqual({
      ...success(id),
      stderr: `win-hcn: namespace ${id} already exists; no changes made\n`,
    });
    expect(ids()).toEqual(before);
  });

  test('refuses an id that is not a GUID with 2', async () => {
    expect(await namespace('create', '--id', 'pod1')).toEqual(failure(2, 'win-hcn: --id pod1 is not a GUID'));
  });
});

describe('namespace delete', () => {
  const effects = [
    `Container ${container} loses interface eth0 (10.244.1.2/24).`,
    `Endpoint "${container}_l2bridge_eth0" (${web}) remains, in no namespace.`,
  ];

  test('shows the effects, and deletes nothing without --yes', async () => {
    const { netns } = node.pod;
    const before = ids();
    expect(await namespace('delete', netns.slice(0, 8))).toEqual(
      problem(
        `1. delete namespace ${netns}`,
        ...effects,
        `Container ${container} is running: HNS refuses this until it stops.`,
        'No changes made. Rerun with --yes to apply.',
      ),
    );
    expect(ids()).toEqual(before);
  });

  test('deletes it with --yes', async () => {
    const { netns } = node.pod;
    node.hns.detachContainer(netns, container);
    expect(await namespace('delete', netns, '--yes')).toEqual(
      success(`1. delete namespace ${netns}`, ...effects, `namespace ${netns} was deleted`),
    );
    expect(ids()).toEqual([node.hostNamespace]);
  });

  test('reports a namespace that is gone in the meantime', async () => {
    const { netns } = node.newPod();
    const vanish = { kind: 'Namespace', id: netns } as const;
    node.hns.inject({ function: 'HcnDeleteNamespace', effect: { vanish } });
    expect(await namespace('delete', netns, '--yes')).toEqual(
      success(`1. delete namespace ${netns}`, `namespace ${netns} is gone already`),
    );
  });

  test('keeps the host namespace', async () => {
    expect(await namespace('delete', node.hostNamespace, '--yes')).toEqual(
      failure(1, `win-hcn: namespace ${node.hostNamespace} is the host namespace and is not deleted`),
    );
  });
});
