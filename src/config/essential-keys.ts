// The keys that every command needs. They are read without validating the rest: DEL and GC must work with a configuration that ADD refuses.

import { CniError, code } from '../cni/error.ts';
import { type Attachment, isName, nameRule } from '../cni/request.ts';
import { parseJsonObject } from '../cni/text.ts';
import { foldKeys, isObject, type JsonObject } from '../json/members.ts';
import { InvalidConfig } from './problems.ts';

/** The network's name. Throws code 7 if it is missing or malformed, code 6 if it is not a string. */
export function readName(json: JsonObject): string {
  const name = json['name'] ?? '';
  if (typeof name !== 'string') {
    throw new CniError(code.decodingFailure, `/name is ${JSON.stringify(name)}, expected a string`);
  }
  if (name === '') throw new CniError(code.invalidConfig, 'missing network name: /name is required');
  if (!isName(name)) {
    const message = `invalid characters found in network name ${JSON.stringify(name)}`;
    throw new CniError(code.invalidConfig, message, { details: `expected ${nameRule}` });
  }
  return name;
}

/**
 * The type of the delegated IPAM plugin; undefined if HNS assigns addresses. Also undefined for an invalid name: ADD refuses it,
 * so no address can have been leased.
 */
export function readIpamType(json: JsonObject): string | undefined {
  const type = isObject(json['ipam']) ? json['ipam']['type'] : undefined;
  return typeof type === 'string' && isName(type) ? type : undefined;
}

/** The time limit of one HCN call in seconds. Default: 90, for a burst of pods that wait for each other (docs/decisions/requests.md). */
export function readTimeout(json: JsonObject): number {
  const seconds = json['hcnTimeoutSeconds'];
  return typeof seconds === 'number' && seconds >= 1 && seconds <= 120 ? seconds : 90;
}

/** Whether ADD creates a missing network. Default: ifMissing. */
export function readCreateNetwork(json: JsonObject): 'ifMissing' | 'never' {
  return json['createNetwork'] === 'never' ? 'never' : 'ifMissing';
}

/** The full path of the log file; empty disables the log, undefined if the configuration has no valid path. */
export function readLogFile(json: JsonObject): string | undefined {
  const path = json['logFile'];
  return typeof path === 'string' && logFilePattern.test(path) ? path : undefined;
}

/** The schema's pattern. A second colon would name an alternate data stream of another file. */
const logFilePattern = /^(|\/([^/].*)?|[A-Za-z]:[\\/]([^\\/:][^:]*)?)$/;

const attachmentsKeys = ['cni.dev/valid-attachments', 'cni.dev/attachments'];

/** The key that has the attachments GC keeps; undefined if absent. */
export function validAttachmentsKey(json: JsonObject): string | undefined {
  return (
    attachmentsKeys.find((key) => Array.isArray(json[key])) ??
    attachmentsKeys.find((key) => json[key] !== undefined)
  );
}

/**
 * The attachments GC keeps, from `cni.dev/valid-attachments` or the older `cni.dev/attachments`. Null and an empty list mean that
 * no attachment is valid. Throws code 7 if the list is missing: a GC run without it would delete the endpoint of every pod.
 */
export function readValidAttachments(json: JsonObject, network: string): readonly Attachment[] {
  const key = validAttachmentsKey(json);
  if (key === undefined) {
    throw new CniError(
      code.invalidConfig,
      `/${attachmentsKeys[0]} is missing, expected the attachments to keep`,
      {
        details: 'an empty list deletes all endpoints that the plugin created on the network',
      },
    );
  }
  const value = json[key] ?? [];
  const path = `/${key.replace('/', '~1')}`;
  if (!Array.isArray(value))
    throw new InvalidConfig([{ kind: 'invalid', path, found: value, expected: 'a list' }]);
  return value.map((item, index) => {
    const { containerid: containerId, ifname } = isObject(item) ? foldKeys(item) : {};
    const isContainer = typeof containerId === 'string' && isName(containerId);
    if (isContainer && typeof ifname === 'string' && ifname !== '') return { containerId, ifname, network };
    const expected = 'an object with containerID and ifname';
    throw new InvalidConfig([{ kind: 'invalid', path: `${path}/${index}`, found: item, expected }]);
  });
}

/** For whom the IPAM plugin reserves the source VIP. The same as rke2's, whose reservation win-hcn reuses. */
export const sourceVipHolder = { containerID: 'kube-proxy', ifname: 'source-vip' } as const;

/** Also the holder of the scripts of sig-windows-tools. */
export const sourceVipHolders = [sourceVipHolder, { containerID: 'dummy', ifname: 'dummy' }] as const;

/**
 * The input of GC for the IPAM plugin: the runtime does not know the source VIP of an Overlay network, so its attachments are added to the
 * valid ones, also if another file or program reserved it.
 */
export function keepSourceVip({ networkType }: JsonObject, stdin: string): string {
  return networkType === 'Overlay' ? addHolders(sourceVipHolders, stdin) : stdin;
}

/** The input of GC for the IPAM plugin, with more valid attachments. */
export function addValidAttachments(attachments: readonly Attachment[], stdin: string): string {
  const holders = attachments.map(({ containerId, ifname }) => ({ containerID: containerId, ifname }));
  return holders.length === 0 ? stdin : addHolders(holders, stdin);
}

function addHolders(holders: readonly object[], stdin: string): string {
  const config = parseJsonObject(stdin, 'the network configuration');
  const key = validAttachmentsKey(config);
  if (key === undefined) return stdin;
  const valid = config[key];
  return JSON.stringify({ ...config, [key]: [...(Array.isArray(valid) ? valid : []), ...holders] });
}
