import { parseJsonObject } from '../cni/text.ts';
import type { JsonObject } from '../json/members.ts';
import { validAttachmentsKey } from './essential-keys.ts';

/** For whom the IPAM plugin reserves the source VIP. The same as rke2's, whose reservation win-hcn reuses. */
export const sourceVipHolder = { containerID: 'kube-proxy', ifname: 'source-vip' } as const;

/** The input of GC for the IPAM plugin: the runtime does not know the source VIP, so its attachment is added to the valid ones. */
export function keepSourceVip({ sourceVip }: JsonObject, stdin: string): string {
  if (sourceVip !== true) return stdin;
  const config = parseJsonObject(stdin, 'the network configuration');
  const key = validAttachmentsKey(config);
  if (key === undefined) return stdin;
  const valid = config[key];
  return JSON.stringify({ ...config, [key]: [...(Array.isArray(valid) ? valid : []), sourceVipHolder] });
}
