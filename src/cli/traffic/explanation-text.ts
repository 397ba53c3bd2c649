import type { EndpointId } from '../../hcn/guid.ts';
import type { Session } from '../terminal/session.ts';
import { shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import type { EvaluatedRule } from './match-traffic.ts';

export interface RuleRow extends EvaluatedRule {
  /** By column title. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A table of rules, at least one: whether each matches and decides, and the reason if not. Deciding rules are bold. */
export function ruleTable(rules: readonly RuleRow[], session: Session): string {
  const rows = rules.map(({ cells, matches, decides, because: reason = '' }) => ({
    ...cells,
    matches,
    applied: decides === 'no' ? '-' : decides,
    reason,
  }));
  return rowsTable(rows, session, {
    styleOf: (_title, row) => (rules[row]?.decides === 'no' ? undefined : 'bold'),
  });
}

/** `endpoint 5efcf8b5 of pod shop/web`, without the pod if it is unknown. */
export function ownerText(endpoint: EndpointId, pod: string | undefined): string {
  return `endpoint ${shortGuid(endpoint)}${pod === undefined ? '' : ` of pod ${pod}`}`;
}

/**
 * Where to see the rules of the virtual switch, which HCN does not return.
 * https://learn.microsoft.com/windows-server/networking/sdn/troubleshoot/troubleshoot-windows-server-software-defined-networking-stack
 */
export function vfpNote(macAddresses: readonly string[], layer?: string): string {
  const ports = macAddresses.length === 1 ? 'the port' : 'the ports';
  const option = layer === undefined ? '' : ` /layer ${layer}`;
  return (
    `The virtual switch (VFP) can enforce different rules: run vfpctrl /port PORT${option} /list-rule for ${ports} with MAC address ` +
    `${macAddresses.join(' or ')} (vfpctrl /list-vmswitch-port).`
  );
}
