import { CniError, code, errorMessage } from '../../cni/error.ts';
import { decodeText } from '../../cni/text.ts';
import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import { type ClusterNode, readClusterNode } from './cluster-node.ts';

/**
 * Reads what `kubectl get nodes -o json` prints, which `source` names in errors. Throws CniError unless it is a complete list of nodes:
 * a part of the cluster would remove the other nodes.
 */
export function readNodeList(bytes: Uint8Array, source: string): readonly ClusterNode[] {
  const refuse = (problem: string, cause?: unknown) =>
    new CniError(code.decodingFailure, `${source} ${problem}`, {
      details: 'pass the output of kubectl get nodes -o json',
      ...(cause !== undefined && { cause }),
    });
  const text = decodeText(bytes);
  if (text.trim() === '') throw refuse('is empty');
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw refuse(`is not JSON: ${errorMessage(cause)}`, cause);
  }
  if (!isObject(value)) throw refuse('is not a list of nodes');
  const { kind, items, metadata } = value;
  if (kind === 'Node') throw refuse('is a single node, not the list of all nodes');
  if (!Array.isArray(items)) throw refuse('is not a list of nodes');
  for (const key of ['continue', 'remainingItemCount'])
    if (isObject(metadata) && metadata[key])
      throw refuse(`is only a part of the list of nodes (metadata.${key} is set)`);
  return items.map((item: unknown, index) => {
    const node = isNode(item) ? readClusterNode(item) : undefined;
    if (node === undefined) throw refuse(`is not a list of nodes: items[${index}] is not a node with a name`);
    return node;
  });
}

/** The API's own NodeList has no `kind` in its items. */
function isNode(item: unknown): item is JsonObject {
  return isObject(item) && (item['kind'] === undefined || item['kind'] === 'Node');
}
