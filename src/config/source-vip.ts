import { parseJsonObject } from '../cni/text.ts';
import type { JsonObject } from '../json/members.ts';
import { validAttachmentsKey } from './essential-keys.ts';

/** For whom the IPAM plugin reserves the source VIP. The same as rke2's, whose reservation win-hcn reuses. */
export const sourceVipHolder = { containerID: 'kube-proxy', ifname: 'source-vip' } as const;

/** Also the holder of the scripts of sig-windows-tools. */
export const sourceVipHolders = [sourceVipHolder, { containerID: 'dummy', ifname: 'dummy' }] as const;

/**
 * The input of GC for the IPAM plugin: the runtime does not know the source VIP of an Overlay network, so its attachments are added to the
 * valid ones, also if another file or program reserved it.
 */
export function keepSourceVip({ networkType }: JsonObject, stdin: string): string {
  if (networkType !== 'Overlay') return stdin;
  const config = parseJsonObject(stdin, 'the network configuration');
  const key = validAttachmentsKey(config);
  if (key === undefined) return stdin;
  const valid = config[key];
  return JSON.stringify({ ...config, [key]: [...(Array.isArray(valid) ? valid : []), ...sourceVipHolders] });
}
