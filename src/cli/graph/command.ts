import { type Command, Option } from 'commander';
import { errorMessage } from '../../cni/error.ts';
import type { Inventory } from '../../model/inventory.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption } from '../terminal/options.ts';
import { printableIn, serialized } from '../terminal/output.ts';
import { exitCode, plain, type Session, sessionFor } from '../terminal/session.ts';
import { graphData, snapshotOf } from './graph-data.ts';
import { graphPage } from './graph-page.ts';
import { mermaidText } from './mermaid-text.ts';
import { treeText } from './tree-text.ts';

const drawings = ['tree', 'html', 'mermaid'] as const;

type Drawing = (typeof drawings)[number];

interface Flags extends FormatFlags {
  readonly format?: Drawing;
  readonly file?: string;
  readonly remote?: boolean;
}

/** `graph`: draws the objects of HCN. */
export function graphCommand(session: Session): Command {
  return newCommand('graph', session, {
    summary: 'draw networks, endpoints, namespaces and load balancers',
    description:
      'Draws each network with its endpoints and their namespaces, and each load balancer with its backends, and marks ' +
      'problems. Trees and Mermaid flowcharts show the owner of an endpoint only if it is not win-hcn. The HTML page ' +
      'works offline and is searchable. You can paste a Mermaid flowchart into a GitHub issue.',
    examples: [
      'win-hcn graph',
      'win-hcn graph --file graph.html',
      'win-hcn graph --file graph.mmd --remote',
      'win-hcn graph --format mermaid',
    ],
  })
    .addOption(
      new Option(
        '--format <format>',
        'kind of drawing (default: by the extension of --file, otherwise tree)',
      ).choices(drawings),
    )
    .addOption(formatOption())
    .option('--file <file>', 'file to write (default: stdout)')
    .option('--remote', 'include remote endpoints (pods on other nodes); HTML always includes them')
    .action(async ({ file, format, remote = false, output }: Flags, command: Command) => {
      const isData = output === 'json' || output === 'yaml';
      if (isData && format !== undefined)
        command.error(`win-hcn: --format ${format} and -o ${output} cannot be combined`);
      const drawing = format ?? drawingOf(file);
      if (!isData && drawing === 'html' && file === undefined && Number.isFinite(session.width))
        command.error('win-hcn: the html format is not for terminals. Write a file with --file graph.html');
      const inventory = await readInventory(session);
      const shown = file === undefined ? sessionFor(session, output) : plain(session);
      const data = isData ? serialized(graphData(inventory, snapshotOf(session.system)), output) : undefined;
      const text = data ?? draw(inventory, drawing, remote, shown);
      if (file === undefined) session.print(text);
      else write(file, `${text}\n`, session);
    });
}

function drawingOf(file = ''): Drawing {
  if (/\.html?$/i.test(file)) return 'html';
  return /\.(mmd|mermaid)$/i.test(file) ? 'mermaid' : 'tree';
}

function draw(inventory: Inventory, drawing: Drawing, remote: boolean, session: Session): string {
  const snapshot = snapshotOf(session.system);
  switch (drawing) {
    case 'html':
      return graphPage(inventory, snapshot).trimEnd();
    case 'mermaid':
      return mermaidText(graphData(inventory, snapshot), remote);
    case 'tree':
      return treeText(printableIn(graphData(inventory, snapshot)), remote, session);
  }
}

function write(file: string, text: string, { terminal, printStderr, setExitCode }: Session): void {
  try {
    terminal.writeFile(file, new TextEncoder().encode(text));
    printStderr(`win-hcn: wrote ${file}`);
  } catch (error) {
    printStderr(`win-hcn: ${errorMessage(error)}. Specify a file in an existing, writable folder.`);
    setExitCode(exitCode.problemFound);
  }
}
