// npm run broken-node: a simulated node with six faults, for a person who finds them with win-hcn alone.

import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { chooseFaults, faults, startFaultyNode } from './faults.ts';
import type { FaultyNode } from './faulty-node.ts';

const usage = `Usage: npm run broken-node -- [--seed N] [--reveal]

Starts a simulated Windows node with six of twenty faults, until Ctrl+C.
--seed N   chooses the faults (default: a random number, which is printed)
--reveal   prints the faults of the seed, and does not start the node
`;

/** A command for the node, as client.ts sends it. */
interface Request {
  readonly program: 'win-hcn' | 'powershell';
  readonly words: readonly string[];
  readonly stdin: string;
  readonly width?: number;
}

/** What the node returns, one per line: output in the order in which it was written, then the end. win-hcn may also write files. */
export type Message =
  | { readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly exitCode: number; readonly written: Readonly<Record<string, string>> };

const { values } = parseArgs({
  options: { seed: { type: 'string' }, reveal: { type: 'boolean' }, help: { type: 'boolean' } },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 100_000) : Number(values.seed);
if (values.help || !Number.isSafeInteger(seed)) {
  process.stdout.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.reveal) reveal();
else await serve(await startFaultyNode(chooseFaults(seed)));

function reveal(): void {
  for (const name of chooseFaults(seed)) {
    const { story, namedBy, words } = faults[name];
    process.stdout.write(
      `${name}: ${story}\n  ${namedBy} prints ${words.map((word) => `"${word}"`).join(', ')}\n`,
    );
  }
}

/** Serves commands on loopback, and writes a script for each program. */
async function serve(node: FaultyNode): Promise<void> {
  const server = createServer(async (request, response) => {
    const send = (message: Message) => response.write(`${JSON.stringify(message)}\n`);
    try {
      // client.ts sends only requests.
      await run(node, (await json(request)) as Request, send);
    } catch (error) {
      send({ stream: 'stderr', text: `${error instanceof Error ? error.message : String(error)}\n` });
      send({ exitCode: 1, written: {} });
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const folder = resolve(`build/broken-node/${seed}`);
  mkdirSync(folder, { recursive: true });
  for (const program of ['win-hcn', 'powershell']) writeScript(`${folder}/${program}`, program, port);
  process.stdout.write(`A node with six faults (seed ${seed}) runs until Ctrl+C. Examine it in another terminal:

  export PATH=${folder}:$PATH
  win-hcn --help
  powershell 'Start-Service hns'   (also Restart-Service hns and Rename-Item FILE NAME; other commands are not simulated)

Show the faults: npm run broken-node -- --seed ${seed} --reveal
`);
  const stop = () => {
    server.close();
    server.closeAllConnections();
    void node.stop();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

/** The script runs client.ts with the Node of this process. */
function writeScript(path: string, program: string, port: number): void {
  const client = resolve('test/e2e/faults/client.ts');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${client}' ${port} ${program} "$@"\n`);
  chmodSync(path, 0o755);
}

async function run(
  node: FaultyNode,
  { program, words, stdin, width }: Request,
  send: (message: Message) => void,
): Promise<void> {
  if (program === 'powershell') {
    node.powershell(words.join(' '));
    return send({ exitCode: 0, written: {} });
  }
  const listener = (text: string, stream: 'stdout' | 'stderr') => send({ stream, text });
  const terminal = { stdin, listener, ...(width !== undefined && { width }) };
  const { exitCode, written = {} } = await node.run(words, terminal);
  const encoded = Object.entries(written).map(([path, bytes]) => [
    path,
    Buffer.from(bytes).toString('base64'),
  ]);
  send({ exitCode, written: Object.fromEntries(encoded) });
}
