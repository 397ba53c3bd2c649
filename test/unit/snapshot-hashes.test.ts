import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findHeaders, keepSnapshotHashes } from '../../packaging/snapshot-hashes.mjs';

test("only the flags of V8's snapshots change in Node", () => {
  const node = readFileSync(process.execPath);
  const ours = Buffer.from(node);
  keepSnapshotHashes(ours, process.versions.v8);
  const changes = findHeaders(node, process.versions.v8).map((at) => {
    const change = [node[at + 4], ours[at + 4]];
    ours[at + 4] = 1;
    return change;
  });
  expect(changes).toEqual([
    [1, 0],
    [1, 0],
  ]);
  expect(ours.equals(node)).toBe(true);
});

test('another V8 is refused', () => {
  const node = Buffer.from('a program with 13.6.1');
  expect(() => keepSnapshotHashes(node, '13.6.2')).toThrow('node has no start-up snapshot of V8 13.6.2');
});
