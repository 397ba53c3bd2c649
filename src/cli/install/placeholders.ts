import { CniError, code } from '../../cni/error.ts';
import { addressBytes, addressFromBytes } from '../../net/address.ts';
import { isHostIn, networkOf, type Prefix, parsePrefix } from '../../net/prefix.ts';

/** Whether a conflist has placeholders, which need the node's PodCIDRs. JSON has no `{{` outside strings. */
export function hasPlaceholders(conflist: string): boolean {
  return conflist.includes('{{');
}

/** `{{.PodCIDR}}` or `{{index .PodCIDRRanges 1}}`, as in containerd's conf_template. */
const rangePlaceholder = /^(?:\.PodCIDR|index \.PodCIDRRanges (\d+))$/;
/** `{{address .PodCIDR 2}}` or `{{address (index .PodCIDRRanges 1) 2}}`: win-hcn's own. */
const addressPlaceholder = /^address (?:\.PodCIDR|\((?:\.PodCIDR|index \.PodCIDRRanges (\d+))\)) (\d+)$/;

/** Replaces the placeholders of a conflist. Throws an error that names the first one that has no value. */
export function fillPlaceholders(conflist: string, podCidrs: readonly string[]): string {
  return conflist.replaceAll(/\{\{(.*?)(?:\}\}|$)/gms, (found, inner: string) => {
    if (!found.endsWith('}}')) throw unknownPlaceholder(found);
    const words = inner.trim().replaceAll(/\s+/g, ' ');
    const [isRange, rangeIndex] = rangePlaceholder.exec(words) ?? [];
    if (isRange !== undefined) return cidr(found, podCidrs, rangeIndex);
    const [isAddress, addressIndex, number] = addressPlaceholder.exec(words) ?? [];
    if (isAddress === undefined) throw unknownPlaceholder(found);
    return nthAddress(found, cidr(found, podCidrs, addressIndex), Number(number));
  });
}

function cidr(placeholder: string, podCidrs: readonly string[], index = '0'): string {
  const found = podCidrs[Number(index)];
  if (found === undefined)
    throw unfilled(
      `${placeholder} has no value: the node has only ${podCidrs.join(' and ')}. ` +
        'Delete what uses the placeholder, or give the cluster a pod network of both address families',
    );
  return found;
}

/** The address at a distance from the network's address. */
function nthAddress(placeholder: string, cidr: string, number: number): string {
  const prefix = parsePrefix(cidr);
  const address = prefix && addressAt(prefix, number);
  if (prefix === undefined || address === undefined || !isHostIn(prefix, address))
    throw unfilled(`${placeholder} has no value: ${cidr} has no host address number ${number}`);
  return address;
}

/** Undefined beyond the last address of the family. */
function addressAt(prefix: Prefix, number: number): string | undefined {
  let carry = number;
  const bytes = addressBytes(networkOf(prefix).address).toReversed();
  const sum = bytes.map((byte) => {
    const value = byte + (carry % 256);
    carry = Math.floor(carry / 256) + (value > 255 ? 1 : 0);
    return value % 256;
  });
  return carry > 0 ? undefined : addressFromBytes(sum.toReversed());
}

function unknownPlaceholder(found: string): CniError {
  return unfilled(
    `${found} is not a placeholder. Use {{.PodCIDR}}, {{index .PodCIDRRanges 1}}, {{address .PodCIDR 2}} or ` +
      '{{address (index .PodCIDRRanges 1) 2}}',
  );
}

function unfilled(message: string): CniError {
  return new CniError(code.invalidConfig, message);
}
