import type { NodeState } from '../../../../src/cli/path/node-state.ts';
import { packetText } from '../../../../src/cli/path/packet.ts';
import type { ConnectionState, Path } from '../../../../src/cli/path/path.ts';
import { type Start, walk } from '../../../../src/cli/path/walk.ts';

/** A path as text: each hop, then the end. */
export function pathText({ hops, outcome, because, packet }: Path): readonly string[] {
  return [
    ...hops.map(
      ({ place, name, did, rule, evidence }) => `${place} ${name}: ${did} (${rule ?? '-'}, ${evidence})`,
    ),
    `${outcome}: ${because} ${packetText(packet)}`,
  ];
}

/** All paths of a packet as text. */
export function pathTexts(
  node: NodeState,
  start: Start,
  state?: ConnectionState,
): readonly (readonly string[])[] {
  return walk(node, start, state).map(pathText);
}
