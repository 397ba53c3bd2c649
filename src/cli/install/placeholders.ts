import { type Command, InvalidArgumentError } from 'commander';
import { invalidConfig } from '../../cni/error.ts';
import { firstHost, parsePrefix, secondHost } from '../../net/prefix.ts';
import { isNodeName } from '../network/cluster-node.ts';
import type { Session } from '../terminal/session.ts';
import { readApiAccess, readPodCidrs } from './pod-cidrs.ts';

/** The option that names this node. */
export interface NodeFlags {
  /** The name of this node in Kubernetes. */
  readonly node?: string;
}

/** Adds `--node`. */
export function withNode(command: Command): Command {
  return command.option(
    '--node <name>',
    'fill the placeholders of the configuration with the PodCIDRs of this Kubernetes node',
    parseName,
  );
}

function parseName(text: string): string {
  if (isNodeName(text)) return text;
  throw new InvalidArgumentError('expected the name of a node, as in kubectl get nodes');
}

/**
 * Replaces the placeholders of a conflist with this node's PodCIDRs. Only a conflist with placeholders needs `--node` and the Kubernetes
 * API. Throws CniError with the fix.
 */
export async function fillConflist(
  bytes: Uint8Array,
  file: string,
  { node }: NodeFlags,
  session: Session,
): Promise<Uint8Array> {
  const conflist = new TextDecoder().decode(bytes);
  // JSON has no `{{` outside strings.
  if (!conflist.includes('{{')) return bytes;
  if (node === undefined)
    throw invalidConfig(
      `${file} has placeholders, such as {{.PodCIDR}}. Add --node with the name of this node in Kubernetes, or replace them`,
    );
  const podCidrs = await readPodCidrs(node, readApiAccess(session));
  return new TextEncoder().encode(fillPlaceholders(conflist, podCidrs));
}

/** `{{.PodCIDR}}` or `{{index .PodCIDRRanges 1}}`, as in containerd's conf_template. */
const rangePlaceholder = /^(?:\.PodCIDR|index \.PodCIDRRanges (\d+))$/;
/** `{{address .PodCIDR 2}}` or `{{address (index .PodCIDRRanges 1) 2}}`: win-hcn's own, for the first or second address. */
const addressPlaceholder = /^address (?:\.PodCIDR|\(index \.PodCIDRRanges (\d+)\)) ([12])$/;

/** Replaces the placeholders of a conflist. Throws CniError that names the first one that has no value. */
export function fillPlaceholders(conflist: string, podCidrs: readonly string[]): string {
  return conflist.replaceAll(/\{\{(.*?)(?:\}\}|$)/gms, (found, inner: string) => {
    const words = inner.trim().replaceAll(/\s+/g, ' ');
    const match = rangePlaceholder.exec(words) ?? addressPlaceholder.exec(words);
    if (!found.endsWith('}}') || match === null)
      throw invalidConfig(
        `${found} is not a placeholder. Use {{.PodCIDR}}, {{index .PodCIDRRanges 1}}, {{address .PodCIDR 2}} or ` +
          '{{address (index .PodCIDRRanges 1) 2}}',
      );
    const [, index = 0, number] = match;
    const cidr = podCidrs[Number(index)];
    const prefix = cidr && parsePrefix(cidr);
    const value = number === undefined ? cidr : prefix && (number === '1' ? firstHost : secondHost)(prefix);
    if (value) return value;
    throw invalidConfig(
      `${found} has no value: the node has only ${podCidrs.join(' and ')}. ` +
        'Delete what uses the placeholder, or give the cluster a pod network of both address families',
    );
  });
}
