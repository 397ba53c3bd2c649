import { CniError, code, errorMessage } from '../../cni/error.ts';
import { decodeText } from '../../cni/text.ts';
import { isObject, type JsonObject, parseJson } from '../../json/members.ts';

/** The members of an object of Kubernetes; none if it is not an object. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * Reads what `kubectl get NOUN -o json` prints, which `source` names in errors. Throws CniError unless it is a complete list: with a part of
 * the cluster, the other objects would seem to be absent. `refuse` returns an error about the file, such as `is not a list of nodes`.
 */
export function readKubectlList(bytes: Uint8Array, source: string, noun: string) {
  const refuse = (problem: string, cause?: unknown) =>
    new CniError(code.decodingFailure, `${source} ${problem}`, {
      details: `pass the output of kubectl get ${noun} -o json`,
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
  const { items, metadata } = membersOf(value);
  if (!Array.isArray(items)) throw refuse('is not a list of objects of Kubernetes');
  for (const key of ['continue', 'remainingItemCount'])
    if (membersOf(metadata)[key]) throw refuse(`is only a part of the list (metadata.${key} is set)`);
  const list: readonly unknown[] = items;
  return { items: list, refuse };
}
