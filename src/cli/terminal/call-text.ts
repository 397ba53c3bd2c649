import type { OnCall } from '../../hcn/deadline.ts';
import type { Guid, Kind } from '../../hcn/guid.ts';
import { kindName } from '../../hcn/open-objects.ts';
import { shortGuid } from './short-text.ts';

export type LimitedCall = Parameters<OnCall>[0];

/** What a call does: `list endpoints`, or `delete endpoint 5efcf8b5`; undefined for other libraries than HCN. */
export function callText({ name, id }: LimitedCall): string | undefined {
  const [, verb = '', kind] = /^Hcn([A-Z][a-z]+)(Network|Endpoint|Namespace|LoadBalancer)/.exec(name) ?? [];
  if (!isKind(kind)) return name === 'HNSCall' ? 'respond' : undefined;
  if (verb === 'Enumerate') return `list ${kindName(kind)}s`;
  return [
    verbs[verb] ?? verb.toLowerCase(),
    kindName(kind),
    ...(id === undefined ? [] : [shortText(id)]),
  ].join(' ');
}

/** HCN's verbs that are not the field's. */
const verbs: Readonly<Record<string, string>> = { Query: 'read', Modify: 'change' };

function shortText(id: Guid): string {
  return shortGuid(id);
}

function isKind(kind: string | undefined): kind is Kind {
  return kind !== undefined;
}

/** Whether a call changes something: of HCN, or of the IP Helper or an IPAM plugin, whose names are phrases. */
export function isChange({ name }: LimitedCall): boolean {
  return /^Hcn(Create|Modify|Delete)|^(enabling|deleting) |^running .*\((ADD|DEL|GC)\)$/.test(name);
}

/** The run of an IPAM plugin as a call. */
export function runningPlugin(path: string, command: string | undefined): LimitedCall {
  return { name: `running ${path} (${command})` };
}
