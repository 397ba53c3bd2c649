import { nearestOf } from '../../config/schema-problems.ts';
import { escapeToken } from '../../config/source-paths.ts';
import { isObject } from '../../json/members.ts';
import type { Check } from './checked-config.ts';

/** https://www.cni.dev/docs/conventions/, and the one of containerd. Runtimes compare names case-sensitively. */
const conventions = [
  'portMappings',
  'ipRanges',
  'bandwidth',
  'dns',
  'ips',
  'mac',
  'infinibandGUID',
  'deviceID',
  'aliases',
  'cgroupPath',
  'io.kubernetes.cri.pod-annotations',
];

/** Warns about capabilities that are probably misspelled. Other names may belong to a runtime. */
export const warnOfCapabilities: Check = ({ json: { capabilities }, place }) =>
  Object.entries(isObject(capabilities) ? capabilities : {}).flatMap(([name, enabled]) => {
    const meant = enabled === true ? findMeant(name) : undefined;
    if (meant === undefined) return [];
    const path = place(`/capabilities/${escapeToken(name)}`);
    const text = `${path} is not a known capability, so the runtime passes no values; did you mean "${meant}"?`;
    return [{ path, text, isKey: true }];
  });

/** The known capability whose name differs in case, by a typo, or only begins like this; undefined for a known one. */
function findMeant(name: string): string | undefined {
  if (conventions.includes(name)) return undefined;
  const beginning = name.toLowerCase().replace(/s$/, '');
  const longer = ['portMappings', 'bandwidth'].find((known) => known.toLowerCase().startsWith(beginning));
  return nearestOf(name, conventions, name.length / 4) ?? (beginning.length < 4 ? undefined : longer);
}
