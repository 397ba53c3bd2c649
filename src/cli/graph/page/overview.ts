import { podTexts } from '../../inventory/namespace-pods.ts';
import type { NamespaceRow } from '../../inventory/object-rows.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { element, fixText, linkItem } from './elements.ts';
import type { PageGraph } from './page-graph.ts';
import { namespaceTypeText } from './presentation.ts';
import { findProblems, type Problem } from './problems.ts';

/** The details without a selection: all problems, with links to their objects, and what no tile shows. */
export function overview(graph: PageGraph): readonly Node[] {
  const problems = findProblems(graph);
  const { unreadable } = graph;
  const count = problems.reduce((sum, { objects }) => sum + objects.length, unreadable.length);
  const hasErrors = unreadable.length > 0 || problems.some(({ condition }) => condition === 'error');
  return [
    count === 0
      ? element('h2', '', 'No problems in the HCN data')
      : element(
          'h2',
          { class: 'alert', 'data-condition': hasErrors ? 'error' : 'leftover' },
          countText(count, 'problem'),
        ),
    ...(unreadable.length === 0
      ? []
      : [
          problemTitle('unreadable, not on this page', 'error', unreadable.length),
          element('ul', '', ...unreadable.map(({ error }) => element('li', '', error))),
        ]),
    ...problems.flatMap(({ title, condition, fix, objects }) => [
      problemTitle(title, condition, objects.length),
      ...(fix ? [element('p', 'hint fix', ...fixText(fix))] : []),
      element('ul', '', ...objects.map(({ ref, label, note }) => linkItem(ref, label, note))),
    ]),
    ...emptyNamespaces(graph),
    keyboardHint(),
  ];
}

function problemTitle(title: string, condition: Problem['condition'], count: number): HTMLElement {
  return element(
    'h3',
    { class: 'problem', 'data-condition': condition },
    `${title}\u00a0`,
    element('span', 'count', String(count)),
  );
}

/** The namespaces that no tile shows. */
function emptyNamespaces({ namespaces, unreadable }: PageGraph): readonly Node[] {
  const empty = namespaces.filter(({ endpoints }) => endpoints.length === 0);
  if (empty.length === 0) return [];
  const kind = unreadable.length === 0 ? 'endpoints' : 'readable endpoints';
  return [
    element('h3', '', `namespaces without ${kind} `, element('span', 'count', String(empty.length))),
    element('ul', '', ...empty.map(namespaceItem)),
  ];
}

function namespaceItem(row: NamespaceRow): HTMLElement {
  const { id, type, compartment } = row;
  const texts = [
    type === 'Host' ? '' : namespaceTypeText(type),
    compartment === 0 ? '' : `compartment\u00a0${compartment}`,
    ...podTexts(row),
  ];
  return element(
    'li',
    { title: id },
    element('code', '', shortGuid(id)),
    element('span', 'note', texts.filter(Boolean).join(', ')),
  );
}

function keyboardHint(): HTMLElement {
  const keys = { '/': ' search, ', arrows: ' move, ', Enter: ' select, ', Escape: ' close.' };
  return element(
    'p',
    'hint',
    'Click an object for details. Keys: ',
    ...Object.entries(keys).flatMap(([key, effect]) => [element('kbd', '', key), effect]),
  );
}
