import { type AclRow, describeTuple } from '../../inventory/acl-row.ts';
import { element } from './elements.ts';

/** The ACLs of an endpoint by direction, in the order of their evaluation. */
export function aclTable(acls: readonly AclRow[]): readonly Node[] {
  const title = element('h3', '', 'ACLs');
  if (acls.length === 0) return [title, element('p', 'none', 'none, so HNS blocks nothing')];
  const directions = [...new Set(acls.map(({ direction }) => direction))];
  const head = ['priority', 'action', 'traffic'].map((text) => element('th', { scope: 'col' }, text));
  return [
    title,
    element('p', 'hint', 'The first match decides. No document contains the HNS default.'),
    element(
      'table',
      '',
      element('thead', '', element('tr', '', ...head)),
      ...directions.map((direction) =>
        element(
          'tbody',
          '',
          element('tr', '', element('th', { scope: 'rowgroup', colspan: '3' }, direction)),
          ...acls.filter((acl) => acl.direction === direction).map(row),
        ),
      ),
    ),
  ];
}

function row(acl: AclRow): HTMLElement {
  const { priority, action, ruleType, hidden } = acl;
  const texts = [
    hidden ? 'HNS default' : String(priority ?? '-'),
    ruleType === undefined || ruleType === 'Switch' ? action : `${action} (${ruleType})`,
    // A comma without a space is no place to end a line.
    describeTuple(acl).replaceAll(/,(?=\S)/g, ', '),
  ];
  return element(
    'tr',
    { 'data-action': action, class: hidden ? 'hidden-rule' : undefined },
    ...texts.map((text) => element('td', '', text)),
  );
}
