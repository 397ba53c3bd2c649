// A check of the part of Mermaid's syntax that our pages use. Mermaid's own parser needs a browser and over a hundred packages.

/** The Mermaid diagrams of a Markdown page. */
export function diagramsIn(page: string): readonly string[] {
  return [...page.matchAll(/^```mermaid\n(.*?)\n```$/gms)].map(([, diagram = '']) => diagram);
}

interface Objects {
  readonly declared: readonly string[];
  readonly used: readonly string[];
}

/** Reads a line; undefined if it has another syntax. */
type LineReader = (line: string) => Objects | undefined;

const reserved = ['end', 'graph', 'subgraph', 'class', 'click', 'style', 'default'];
const node = /^(\w+)(\["[^"]+"\]|\{"[^"]+"\}|\(\["[^"]+"\]\))?$/;
const arrow = / (?:-->|-\.->)(?:\|[^|"]+\|)? /;

const readers: Readonly<Record<string, LineReader>> = {
  sequenceDiagram: (line) => {
    const declared = /^participant (\w+)(?: as [^#;:]+)?$/.exec(line)?.[1];
    if (declared !== undefined) return { declared: [declared], used: [] };
    const [, from, to] = /^(\w+)--?>>(\w+): [^#;]+$/.exec(line) ?? [];
    return from === undefined || to === undefined ? undefined : { declared: [], used: [from, to] };
  },
  flowchart: (line) => {
    const nodes = line.split(arrow).map((text) => node.exec(text));
    if (nodes.length < 2 || nodes.includes(null)) return undefined;
    const ids = (withLabel: boolean) =>
      nodes.flatMap((match) => (match?.[1] && (match[2] !== undefined || !withLabel) ? match[1] : []));
    return { declared: ids(true), used: ids(false) };
  },
};

/** What is wrong with a diagram: lines of another syntax, and objects that are not declared exactly once. */
export function problemsOf(diagram: string): readonly string[] {
  const [head = '', ...lines] = diagram.split('\n');
  const read = readers[/^(sequenceDiagram|flowchart(?= (?:TD|LR)$))/.exec(head)?.[0] ?? ''];
  if (read === undefined) return [`not a sequenceDiagram or flowchart: ${head}`];
  const objects = lines.map((line) => read(line.trim()));
  const declared = objects.flatMap((one) => one?.declared ?? []);
  const used = objects.flatMap((one) => one?.used ?? []);
  return [
    ...lines.flatMap((line, index) =>
      objects[index] === undefined ? [`line ${index + 2}: ${line.trim()}`] : [],
    ),
    ...new Set(used.filter((id) => !declared.includes(id)).map((id) => `not declared: ${id}`)),
    ...new Set(
      declared.filter((id, index) => declared.indexOf(id) !== index).map((id) => `declared twice: ${id}`),
    ),
    ...new Set(declared.filter((id) => reserved.includes(id)).map((id) => `reserved: ${id}`)),
  ];
}
