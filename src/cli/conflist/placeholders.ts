import { invalidConfig } from '../../cni/error.ts';
import { firstHost, parsePrefix, secondHost } from '../../net/prefix.ts';

/** `.PodCIDR` or `index .PodCIDRRanges 1`, as in containerd's conf_template; with `address`, which is win-hcn's own, the first or second one. */
const placeholder =
  /^(?:\.PodCIDR|index \.PodCIDRRanges (\d+)|address (?:\.PodCIDR|\(index \.PodCIDRRanges (\d+)\)) ([12]))$/;

/** Replaces the placeholders of a conflist. Throws CniError that names the first one that has no value. */
export function fillPlaceholders(conflist: string, podCidrs: readonly string[]): string {
  return conflist.replaceAll(/\{\{(.*?)(?:\}\}|$)/gms, (found, inner: string) => {
    const match = placeholder.exec(inner.trim().replaceAll(/\s+/g, ' '));
    if (!found.endsWith('}}') || match === null)
      throw invalidConfig(`${found} is not a placeholder: deploy/README.md lists them`);
    const [, range, rangeOfAddress, number] = match;
    const cidr = podCidrs[Number(range ?? rangeOfAddress ?? 0)];
    const prefix = cidr && parsePrefix(cidr);
    const value = number === undefined ? cidr : prefix && (number === '1' ? firstHost : secondHost)(prefix);
    if (value) return value;
    throw invalidConfig(`${found} has no value: the node has only ${podCidrs.join(' and ')}`);
  });
}
