import { readIpamType } from '../../../config/essential-keys.ts';
import { pluginName } from '../../../config/open-config.ts';
import { isObject } from '../../../json/members.ts';
import { families, familyOf } from '../../../net/address.ts';
import { contains, formatPrefix, type Prefix, parsePrefix } from '../../../net/prefix.ts';
import { isInRange, type PlacedRange, type RangeSets, readRangeSets } from '../host-local-ranges.ts';
import type { Check, CheckedConfig, PathDiagnostic } from './check.ts';

/** Refuses what host-local refuses in every ADD, and ranges without any address in a network that win-hcn creates or compares. */
export const refuseRanges: Check = (config) => [
  ...rangeSetsOf(config)
    .problems.filter(({ path }) => path !== '' || !isPassed(config))
    .map((problem) => {
      const path = config.place(`/ipam${problem.path}`);
      return {
        path,
        text: `${path} ${problem.text}: host-local refuses every ADD`,
        isKey: problem.path === '',
      };
    }),
  ...(mustMatch(config) ? foreignRanges(config).map((range) => describe(range, config, 'ADD fails')) : []),
];

/** Warns about ranges with addresses outside of the network, and about IP families without a range. */
export const warnOfRanges: Check = (config) => {
  const { sets, problems } = rangeSetsOf(config);
  const subnets = subnetsOf(config);
  const foreign = mustMatch(config)
    ? []
    : foreignRanges(config).map((range) =>
        describe(range, config, 'ADD fails unless the existing network has these addresses'),
      );
  const partly = sets
    .filter((set) => set.some((range) => overlaps(range, subnets)))
    .flatMap((set) => set.filter(({ start, end }) => !isInside(start, subnets) || !isInside(end, subnets)));
  const ranges = sets.flat();
  const missing = families.flatMap((family) => {
    const subnet = subnets.find(({ address }) => familyOf(address) === family);
    if (subnet === undefined || ranges.some(({ start }) => familyOf(start) === family)) return [];
    const path = config.place('/ipam');
    const text = `${path} has no ${family} range, but the network has ${formatPrefix(subnet)}: pods get no ${family} address`;
    return [{ path, text, isKey: true }];
  });
  const isKnown = ranges.length > 0 && problems.length === 0 && !isPassed(config);
  return [
    ...foreign,
    ...partly.map((range) => describe(range, config, 'ADD fails for other addresses')),
    ...(isKnown ? missing : []),
  ];
};

/** Whether an existing network must have the configured subnets. */
function mustMatch({ keys }: CheckedConfig): boolean {
  return keys.behavior.existingNetwork === 'must match';
}

/** The first range of each set whose ranges are all outside of the network: each pod gets an address from every set. */
function foreignRanges(config: CheckedConfig): readonly PlacedRange[] {
  const subnets = subnetsOf(config);
  if (subnets.length === 0) return [];
  const { sets } = rangeSetsOf(config);
  return sets
    .filter((set) => set.every((range) => !overlaps(range, subnets)))
    .flatMap((set) => set.slice(0, 1));
}

function overlaps(range: PlacedRange, subnets: readonly Prefix[]): boolean {
  return isInside(range.start, subnets) || subnets.some(({ address }) => isInRange(range, address));
}

function isInside(address: string, subnets: readonly Prefix[]): boolean {
  return subnets.some((subnet) => contains(subnet, address));
}

/** Returns a diagnostic of the member that puts a range outside the network. */
function describe(range: PlacedRange, config: CheckedConfig, consequence: string): PathDiagnostic {
  const subnets = subnetsOf(config);
  const ends = { rangeStart: range.start, rangeEnd: range.end };
  const outside = Object.entries(ends).find(
    ([key, address]) => range.members[key.toLowerCase()] !== undefined && !isInside(address, subnets),
  );
  const [key] = outside ?? ['subnet'];
  const path = config.place(`/ipam${range.path}/${key}`);
  const family = familyOf(range.start);
  const own = subnets.filter(({ address }) => familyOf(address) === family).map(formatPrefix);
  const network = own.join(', ') || `no ${family} subnet`;
  const value = JSON.stringify(range.members[key.toLowerCase()]);
  return { path, text: `${path} is ${value}, but the network has ${network}: ${consequence}` };
}

function subnetsOf({ keys }: CheckedConfig): readonly Prefix[] {
  return keys.subnets.flatMap(({ prefix }) => parsePrefix(prefix) ?? []);
}

/** The range sets of host-local, with JSON pointers in win-hcn's keys. */
function rangeSetsOf({ json }: CheckedConfig): RangeSets {
  const { ipam } = json;
  const isHostLocal = pluginName(readIpamType(json) ?? '') === 'host-local';
  return isHostLocal && isObject(ipam) ? readRangeSets(ipam) : { sets: [], problems: [] };
}

/** Whether the runtime may pass further ranges. */
function isPassed({ json: { capabilities } }: CheckedConfig): boolean {
  return isObject(capabilities) && capabilities['ipRanges'] === true;
}
