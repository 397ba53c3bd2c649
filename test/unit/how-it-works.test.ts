import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leftoverTexts } from '../../src/model/leftovers.ts';
import { inverseOf } from '../../src/steps/table.ts';
import { table } from '../markdown-table.ts';
import { diagramsIn, problemsOf } from './mermaid.ts';

const page = readFileSync('docs/how-it-works.md', 'utf8');

describe('docs/how-it-works.md', () => {
  test('lists every step that has an inverse, and its inverse', () => {
    const source = readFileSync('src/steps/table.ts', 'utf8');
    const names = [...source.matchAll(/^ {2}'(.+)': \{$/gm)].map(([, name]) => name);
    expect(names).toContain('enable forwarding');
    const rows = names.flatMap((name) => {
      const inverse = inverseOf(
        JSON.parse(JSON.stringify({ do: name, document: { Name: '' }, previous: {} })),
        'done',
      );
      return inverse === undefined ? [] : [[`\`${name}\``, `\`${inverse.do}\``]];
    });
    expect(page).toContain(table(['step', 'inverse'], rows).join('\n'));
  });

  test.each(Object.values(leftoverTexts))('shows the reason for a leftover: %s', (text) => {
    expect(page).toContain(`["leftover: ${text}"]`);
  });
});

const pages = ['README.md', ...readdirSync('docs').filter((name) => name.endsWith('.md'))].map((name) =>
  name === 'README.md' ? name : `docs/${name}`,
);
const diagrams = pages.flatMap((name) =>
  diagramsIn(readFileSync(name, 'utf8')).map((diagram, index) => ({
    name: `${name}, ${index + 1}`,
    diagram,
  })),
);

describe('diagrams', () => {
  test('exist', () => {
    expect(diagrams.length).toBeGreaterThanOrEqual(4);
  });

  test.each(diagrams)(
    'have the syntax of Mermaid, and every object is declared once: $name',
    ({ diagram }) => {
      expect(problemsOf(diagram)).toEqual([]);
    },
  );
});

test.each([
  ['pie\n  a', ['not a sequenceDiagram or flowchart: pie']],
  ['sequenceDiagram\n  participant a\n  a->>b: x', ['not declared: b']],
  ['sequenceDiagram\n  participant a\n  a->a x', ['line 3: a->a x']],
  ['sequenceDiagram\n  participant a\n  a->>a: x; y', ['line 3: a->>a: x; y']],
  ['flowchart TD\n  a["x"] --> b', ['not declared: b']],
  ['flowchart TD\n  a["x"] --> b["y"]\n  b["z"] --> a', ['declared twice: b']],
  ['flowchart TD\n  a[x] --> a', ['line 2: a[x] --> a']],
  ['flowchart TD\n  end["x"] --> end', ['reserved: end']],
  ['flowchart TD\n  a["x"] -->|y| b(["z"]) -.-> a', []],
])('the check of diagrams reports problems: %j', (diagram, problems) => {
  expect(problemsOf(diagram)).toEqual(problems);
});
