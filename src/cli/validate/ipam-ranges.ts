import { readIpamType } from '../../config/essential-keys.ts';
import { pluginName } from '../../config/open-config.ts';
import { isObject } from '../../json/members.ts';
import { families, familyOf } from '../../net/address.ts';
import { contains, formatPrefix, type Prefix, parsePrefix } from '../../net/prefix.ts';
import {
  type AddressRange,
  isInRange,
  type PlacedRange,
  type RangeSets,
  readRangeSets,
} from '../conflist/host-local-ranges.ts';
import type { Check, CheckedConfig, PathDiagnostic } from './checked-config.ts';

/** Refuses what host-local refuses in every ADD. */
export const refuseInvalidRanges: Check = (config) =>
  rangeSetsOf(config)
    .problems.filter(({ path }) => path !== '' || !isPassed(config))
    .map((problem) => {
      const path = config.place(`/ipam${problem.path}`);
      return {
        path,
        text: `${path} ${problem.text}: host-local refuses every ADD`,
        isKey: problem.path === '',
      };
    });

/** Refuses ranges of host-local with no address in a network that ADD creates or compares: ADD would refuse each of their addresses. */
export const refuseForeignRanges: Check = (config) =>
  mustMatch(config) ? foreignSets(config).map((range) => describe(range, config, 'ADD fails')) : [];

/** Warns about ranges of host-local with addresses outside of the network, and about IP families without a range. */
export const warnOfIpamRanges: Check = (config) => [
  ...(mustMatch(config)
    ? []
    : foreignSets(config).map((range) =>
        describe(range, config, 'ADD fails unless the existing network has these addresses'),
      )),
  ...partlyForeign(config).map((range) => describe(range, config, 'ADD fails for other addresses')),
  ...familiesWithoutRange(config),
];

/** Whether an existing network must have the configured subnets. */
function mustMatch({ keys }: CheckedConfig): boolean {
  return keys.behavior.existingNetwork === 'must match';
}

/** The first range of each set whose ranges are all outside of the network: each pod gets an address from every set. */
function foreignSets(config: CheckedConfig): readonly PlacedRange[] {
  const subnets = subnetsOf(config);
  return rangeSetsOf(config).sets.flatMap((set) =>
    subnets.length > 0 && set.every((range) => !overlaps(range, subnets)) ? set.slice(0, 1) : [],
  );
}

function partlyForeign(config: CheckedConfig): readonly PlacedRange[] {
  const subnets = subnetsOf(config);
  return rangeSetsOf(config).sets.flatMap((set) =>
    set.some((range) => overlaps(range, subnets))
      ? set.filter(({ start, end }) => ![start, end].every((address) => isInside(address, subnets)))
      : [],
  );
}

function overlaps(range: AddressRange, subnets: readonly Prefix[]): boolean {
  return isInside(range.start, subnets) || subnets.some(({ address }) => isInRange(range, address));
}

function isInside(address: string, subnets: readonly Prefix[]): boolean {
  return subnets.some((subnet) => contains(subnet, address));
}

/** Returns a diagnostic of the member that puts a range outside the network. */
function describe(range: PlacedRange, config: CheckedConfig, consequence: string): PathDiagnostic {
  const subnets = subnetsOf(config);
  const { members, start, end } = range;
  const isOutside = (key: string, address: string) =>
    members[key.toLowerCase()] !== undefined && !isInside(address, subnets);
  const key = isOutside('rangeStart', start)
    ? 'rangeStart'
    : isOutside('rangeEnd', end)
      ? 'rangeEnd'
      : 'subnet';
  const path = config.place(`/ipam${range.path}/${key}`);
  const family = familyOf(start);
  const own = subnets.filter(({ address }) => familyOf(address) === family).map(formatPrefix);
  const network = own.length === 0 ? `no ${family} subnet` : own.join(', ');
  const value = JSON.stringify(members[key.toLowerCase()]);
  return { path, text: `${path} is ${value}, but the network has ${network}: ${consequence}` };
}

function familiesWithoutRange(config: CheckedConfig): readonly PathDiagnostic[] {
  const { sets, problems } = rangeSetsOf(config);
  const ranges = sets.flat();
  if (ranges.length === 0 || problems.length > 0 || isPassed(config)) return [];
  const path = config.place('/ipam');
  return families.flatMap((family) => {
    const subnet = subnetsOf(config).find(({ address }) => familyOf(address) === family);
    if (subnet === undefined || ranges.some(({ start }) => familyOf(start) === family)) return [];
    const text = `${path} has no ${family} range, but the network has ${formatPrefix(subnet)}: pods get no ${family} address`;
    return [{ path, text, isKey: true }];
  });
}

/** The network's subnets; none if they are invalid or HNS chooses them. */
function subnetsOf({ keys, isSound }: CheckedConfig): readonly Prefix[] {
  return isSound('/subnets') ? keys.subnets.flatMap(({ prefix }) => parsePrefix(prefix) ?? []) : [];
}

/** The range sets of host-local, with JSON pointers in win-hcn's keys. */
function rangeSetsOf({ json }: CheckedConfig): RangeSets {
  const { ipam } = json;
  if (!isObject(ipam) || pluginName(readIpamType(json) ?? '') !== 'host-local')
    return { sets: [], problems: [] };
  return readRangeSets(ipam);
}

/** Whether the runtime may pass further ranges. */
function isPassed({ json: { capabilities } }: CheckedConfig): boolean {
  return isObject(capabilities) && capabilities['ipRanges'] === true;
}
