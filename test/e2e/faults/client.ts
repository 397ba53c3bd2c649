// The programs of a node that npm run broken-node started: client.ts PORT PROGRAM WORDS...

import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Message } from './main.ts';

const [port, program, ...words] = process.argv.slice(2);
const stdin = words.includes('-') ? await text(process.stdin) : '';
const sent = request({ host: '127.0.0.1', port, method: 'POST' }, async (response) => {
  for await (const line of createInterface({ input: response })) {
    // The server sends only these.
    const message = JSON.parse(line) as Message;
    if ('text' in message) process[message.stream].write(message.text);
    else {
      for (const [path, bytes] of Object.entries(message.written))
        writeFileSync(basename(path.replaceAll('\\', '/')), Buffer.from(bytes, 'base64'));
      process.exitCode = message.exitCode;
    }
  }
});
sent.on('error', () => {
  process.stderr.write('The node is not running: npm run broken-node\n');
  process.exitCode = 1;
});
sent.end(JSON.stringify({ program, words, stdin, width: process.stdout.columns }));
