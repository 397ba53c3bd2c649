import type { GraphData } from '../graph-data.ts';
import { countText } from '../presentation.ts';
import { element, fixText, linkItem } from './elements.ts';
import { findProblems, type Problem } from './problems.ts';

/** The details without a selection: all problems, with links to their objects. */
export function overview(graph: GraphData): readonly Node[] {
  const problems = findProblems(graph);
  const { unreadable } = graph;
  const count = problems.reduce((sum, { objects }) => sum + objects.length, unreadable.length);
  const hasErrors = unreadable.length > 0 || problems.some(({ condition }) => condition === 'error');
  return [
    count === 0
      ? element('h2', '', 'No problems in the HCN data')
      : element(
          'h2',
          { class: 'alert', 'data-condition': hasErrors ? 'error' : 'stale' },
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
      element('ul', '', ...objects.map(({ ref, label }) => linkItem(ref, label))),
    ]),
    keyboardHint(),
  ];
}

function problemTitle(title: string, condition: Problem['condition'], count: number): HTMLElement {
  return element(
    'h3',
    { class: 'problem', 'data-condition': condition },
    title,
    ' ',
    element('span', 'count', String(count)),
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
