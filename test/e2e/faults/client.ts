// The programs of a node that npm run broken-node started: client.ts PORT PROGRAM WORDS...

import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';

const [port, program, ...words] = process.argv.slice(2);
const response = await fetch(`http://127.0.0.1:${port}`, {
  method: 'POST',
  body: JSON.stringify({
    program,
    words,
    stdin: words.includes('-') ? await text(process.stdin) : '',
    width: process.stdout.columns,
  }),
}).catch(() => undefined);
if (response?.ok) {
  // The server returns only this.
  const {
    exitCode,
    stdout,
    stderr,
    written = {},
  } = (await response.json()) as {
    exitCode: number;
    stdout: string;
    stderr: string;
    written?: Record<string, string>;
  };
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  for (const [path, bytes] of Object.entries(written))
    writeFileSync(basename(path.replaceAll('\\', '/')), Buffer.from(bytes, 'base64'));
  process.exitCode = exitCode;
} else {
  process.stderr.write(
    `${response ? await response.text() : 'The node is not running: npm run broken-node'}\n`,
  );
  process.exitCode = 1;
}
