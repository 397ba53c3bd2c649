import type { Command } from 'commander';
import { errorMessage } from '../../cni/error.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { graphData, snapshotOf } from './graph-data.ts';
import { graphPage } from './graph-page.ts';

interface Flags extends FormatFlags {
  readonly file?: string;
}

/** `graph`: draws the objects of HCN as an HTML page. */
export function graphCommand(session: Session): Command {
  return newCommand('graph', session, {
    summary: 'create an HTML page of networks, endpoints and load balancers',
    description:
      'Creates an HTML page that draws each network with its endpoints and their namespaces, and each load balancer with ' +
      'its backends, and marks problems. The page works offline and is searchable. graph prints it to stdout, but not to ' +
      'a terminal: use --file graph.html there. With -o json and -o yaml, graph prints the data of the page, or writes it ' +
      'to a file with any extension. win-hcn ls lists the same objects as text.',
    examples: [
      'win-hcn graph --file graph.html',
      'win-hcn graph -o json',
      'win-hcn graph -o yaml --file graph.yaml',
    ],
  })
    .addOption(formatOption())
    .option('--file <file>', 'file to write; the extension of the page is .html (default: stdout)')
    .action(async ({ file, output }: Flags, command: Command) => {
      const isData = output === 'json' || output === 'yaml';
      const problem = isData ? undefined : checkPageTarget(file, session);
      if (problem !== undefined) command.error(`win-hcn: ${problem}`);
      const data = graphData(await readInventory(session), snapshotOf(session.system));
      const text = serialized(data, output) ?? graphPage(data).trimEnd();
      if (file === undefined) session.print(text);
      else write(file, `${text}\n`, session);
    });
}

/** Checks where the page goes: stdout without a file. Returns the problem; undefined if there is none. */
function checkPageTarget(file: string | undefined, { width }: Session): string | undefined {
  if (file === undefined)
    return Number.isFinite(width)
      ? 'the HTML page is not for terminals. Write it with --file graph.html, or list objects with win-hcn ls'
      : undefined;
  return file.toLowerCase().endsWith('.html')
    ? undefined
    : `${file || "''"} does not end with .html: graph writes an HTML page. -o json and -o yaml write data to any file`;
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
