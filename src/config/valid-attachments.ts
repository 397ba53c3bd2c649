import { CniError, code } from '../cni/error.ts';
import { isName } from '../cni/name.ts';
import type { Attachment } from '../cni/request.ts';
import { foldKeys, isObject } from '../json/members.ts';
import { refusal } from './problems.ts';

/**
 * The attachments GC must keep, from `cni.dev/valid-attachments` or the older `cni.dev/attachments`. Null and an empty list mean
 * that none is valid. An absent list is refused with code 7: run by hand without one, GC would cut every pod.
 */
export function readValidAttachments(
  json: Readonly<Record<string, unknown>>,
  network: string,
): readonly Attachment[] {
  const keys = ['cni.dev/valid-attachments', 'cni.dev/attachments'];
  const key = keys.find((key) => Array.isArray(json[key])) ?? keys.find((key) => json[key] !== undefined);
  if (key === undefined) {
    throw new CniError(code.invalidConfig, `/${keys[0]} is missing, expected the attachments to keep`, {
      details: 'an empty list deletes every endpoint win-hcn made on the network',
    });
  }
  const value = json[key] ?? [];
  const path = `/${key.replace('/', '~1')}`;
  if (!Array.isArray(value)) throw refusal([{ kind: 'value', path, found: value, expected: 'a list' }]);
  return value.map((item, index) => {
    const { containerid: containerId, ifname } = isObject(item) ? foldKeys(item) : {};
    if (
      typeof containerId === 'string' &&
      isName(containerId) &&
      typeof ifname === 'string' &&
      ifname !== ''
    ) {
      return { containerId, ifname, network };
    }
    const expected = 'an object with containerID and ifname';
    throw refusal([{ kind: 'value', path: `${path}/${index}`, found: item, expected }]);
  });
}
