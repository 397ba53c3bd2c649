import { type Command, Option } from 'commander';
import type { Inventory } from '../../model/inventory.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { printableIn } from '../printable.ts';
import { exitCode, plain, type Session } from '../session.ts';
import { graphData } from './graph-data.ts';
import { graphPage } from './graph-page.ts';
import { mermaidText } from './mermaid-text.ts';
import { occasionOf } from './occasion.ts';
import { treeText } from './tree-text.ts';

const formats = ['tree', 'html', 'mermaid'] as const;

type Format = (typeof formats)[number];

interface Flags {
  readonly format?: Format;
  readonly file?: string;
  readonly remote?: boolean;
}

/** `graph`: what HCN has as a picture. */
export function graphCommand(session: Session): Command {
  return newCommand('graph', session, {
    summary: 'networks, endpoints, namespaces and load balancers as a picture: a tree, a page or Mermaid',
    description:
      'Draws what HCN has, and what is wrong with it: each network with its endpoints and their namespaces, each load balancer with its ' +
      'backends. In a tree and in Mermaid, an endpoint without an owner is one of win-hcn. A page opens offline in any browser, to search ' +
      'and to click. A flowchart in Mermaid can be pasted into an issue.',
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
        'a tree in text, a page of HTML, or a flowchart in Mermaid; default: as the name of --file ends, else a tree',
      ).choices(formats),
    )
    .option('--file <file>', 'make or replace this file instead of printing')
    .option(
      '--remote',
      'draw remote endpoints too, which stand for pods on other nodes; a page always has them',
    )
    .action(async ({ file, format = formatOf(file), remote = false }: Flags, command: Command) => {
      if (format === 'html' && file === undefined && Number.isFinite(session.width))
        command.error('win-hcn: a page is no text for a terminal: write it with --file graph.html');
      const inventory = await readInventory(session);
      if (file === undefined) session.print(draw(inventory, format, remote, session));
      else write(file, `${draw(inventory, format, remote, plain(session))}\n`, session);
    });
}

function formatOf(file = ''): Format {
  if (/\.html?$/i.test(file)) return 'html';
  return /\.(mmd|mermaid)$/i.test(file) ? 'mermaid' : 'tree';
}

function draw(inventory: Inventory, format: Format, remote: boolean, session: Session): string {
  const occasion = occasionOf(session.system);
  switch (format) {
    case 'html':
      return graphPage(inventory, occasion).trimEnd();
    case 'mermaid':
      return mermaidText(graphData(inventory, occasion), remote);
    case 'tree':
      return treeText(printableIn(graphData(inventory, occasion)), remote, session);
  }
}

function write(file: string, text: string, { terminal, printStderr, setExitCode }: Session): void {
  try {
    terminal.writeFile(file, new TextEncoder().encode(text));
    printStderr(`win-hcn: ${file} is written`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printStderr(
      `win-hcn: cannot write ${file}: ${reason}. --file takes a path in a folder that exists and that you may write to.`,
    );
    setExitCode(exitCode.problemFound);
  }
}
