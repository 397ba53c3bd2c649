import type { HnsVersion } from '../../../hcn/documents.ts';
import {
  describeMissingFeature,
  describeVersion,
  isSupported,
  missingFeatures,
  requiredFeatures,
} from '../../../plan/features.ts';
import { type Facts, firstConf } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** Whether HCN answers, what it can do, and whether that is enough for the configuration. */
export const hcn: Check = {
  name: 'HCN',
  judge: (facts) => {
    const { version, inventory } = facts;
    if ('unknown' in version) return [refused(version.unknown)];
    const answers: Judgement = { verdict: 'PASS', seen: describe(version.known) };
    const missing = missingFor(version.known, facts);
    const refusals =
      'unknown' in inventory
        ? [inventory.unknown]
        : (inventory.known.unreadable ?? []).slice(0, mostRefusals).map(({ error }) => error.message);
    return [answers, ...missing, ...refusals.map(refused)];
  },
};

/** What is wrong with the first few objects is wrong with the rest. */
const mostRefusals = 5;

function refused(seen: string): Judgement {
  const hresult = /0x[0-9a-f]{8}/i.exec(seen)?.[0];
  return {
    verdict: 'FAIL',
    seen,
    see: hresult === undefined ? 'Get-Service hns' : `win-hcn explain ${hresult}`,
  };
}

function describe(version: HnsVersion): string {
  const missing = missingFeatures(version);
  const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
  return `HNS ${describeVersion(version)}${without}`;
}

/** What the configuration needs that this HNS does not have. */
function missingFor(version: HnsVersion, { configuration, inventory }: Facts): readonly Judgement[] {
  const { network } = configuration;
  if (network === undefined || 'unknown' in inventory) return [];
  const { networks, unreadable = [] } = inventory.known;
  const mayExist =
    networks.some(({ Name }) => Name === network.name) || unreadable.some(({ kind }) => kind === 'Network');
  return requiredFeatures(network, !mayExist)
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) => ({
      verdict: 'FAIL',
      seen: `the configuration has ${at}: ${describeMissingFeature(feature, version)}`,
      see: `win-hcn plan ${quoted(firstConf(configuration)?.path ?? '-')}`,
    }));
}
