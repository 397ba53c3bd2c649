// Turns a report of win-hcn probe into a profile, so that the simulated service behaves as an observed node.

import { hresultNames, hresultOf } from './hresults.ts';
import {
  type HnsVersion,
  isAtLeast,
  type Profile,
  profileNames,
  type Switches,
  switchesOf,
  versions,
} from './profiles.ts';
import { type VariantName, variantNames, variants } from './variants/variants.ts';

/** What the conversion reads of a report. */
export interface ProbeReport {
  readonly windows?: string;
  readonly hns?: string;
  readonly rows: readonly { readonly id: string; readonly observed?: string; readonly on?: string }[];
}

/** The behavior of an observed node. Where its report says nothing, it is that of the built-in profile before its version. */
export interface ObservedProfile {
  /** As in `Windows Server 2022 Datacenter 20348.2402`. */
  readonly windows: string;
  readonly version: HnsVersion;
  readonly switches: Switches;
  readonly staticAddressDelayMs?: number;
  readonly providerAddressDelayMs?: number;
  /** What `probe` observed, by row, but for what a Private network showed. */
  readonly rows: Readonly<Record<string, string>>;
}

/** Throws if the report lacks the version of HNS. */
export function profileFromReport({ windows = 'unknown', hns, rows }: ProbeReport): ObservedProfile {
  if (hns === undefined) throw new Error('The report lacks the version of HNS.');
  const [Major = 0, Minor = 0] = hns.split('.').map(Number);
  const version = { Major, Minor };
  // What a Private network accepts says nothing about networks of other types, for which a position decides too.
  const tried = rows.flatMap(({ id, observed, on }) =>
    observed === undefined || on === 'Private' ? [] : [{ id, observed }],
  );
  const positions = tried.flatMap(({ id, observed }) => {
    const name = variantNames.find((known) => known === id);
    const position = name && positionOf(name, observed);
    return position === undefined ? [] : [[id, position]];
  });
  const found = tried.flatMap(({ id, observed }) => {
    const delay = delays[id];
    return delay === undefined || observed === delay.none ? [] : [[delay.option, delay.milliseconds]];
  });
  return {
    windows,
    version,
    switches: { ...switchesOf[nearest(version)], ...Object.fromEntries(positions) },
    ...Object.fromEntries(found),
    rows: Object.fromEntries(tried.map(({ id, observed }) => [id, observed])),
  };
}

interface Delay {
  readonly option: 'staticAddressDelayMs' | 'providerAddressDelayMs';
  /** The observation where there is no delay. */
  readonly none: string;
  /** Longer than until the first look, and shorter than a test wants to wait. */
  readonly milliseconds: number;
}

/** Rows that observe whether HNS is late, which the simulated service does by the clock. */
const delays: Readonly<Record<string, Delay>> = {
  earlyStaticAddress: { option: 'staticAddressDelayMs', none: 'accepted', milliseconds: 3000 },
  providerAddress: { option: 'providerAddressDelayMs', none: 'at once', milliseconds: 10 },
};

/** The newest built-in profile that is not newer than a version; the oldest one for still older versions. */
function nearest({ Major, Minor }: HnsVersion): Profile {
  const reached = profileNames.filter((name) => {
    const { Major: major, Minor: minor } = versions[name];
    return isAtLeast({ Major, Minor }, major, minor);
  });
  return reached.at(-1) ?? 'ws2019';
}

/** A word that is a position, or any HRESULT where the positions are HRESULTs. */
function positionOf(name: VariantName, text: string): string | number | undefined {
  const { positions } = variants[name];
  if (!positions.every((position) => typeof position === 'number'))
    return positions.find((one) => one === text);
  const symbol = hresultNames.find((known) => known === text);
  if (symbol !== undefined) return hresultOf(symbol);
  return /^0x[0-9a-f]{8}$/.test(text) ? Number(text) : undefined;
}
