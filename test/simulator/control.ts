// The control interface of npm run simulator: HTTP on loopback.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Fault } from './faults.ts';
import type { Hns } from './hns.ts';

/** Listens on a free port and returns the address. */
export async function startControl(hns: Hns): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(async (request, response) => {
    try {
      const answer = await handle(hns, request);
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(`${print(answer ?? { error: 'No such resource.' })}\n`);
    } catch (error) {
      response.statusCode = 400;
      response.end(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** Sends an id without quotes, for use in a shell. */
function print(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2);
}

async function handle(hns: Hns, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /dump':
      return hns.dump();
    case 'GET /calls':
      return hns.calls;
    case 'POST /faults':
      // The service refuses an invalid fault.
      hns.inject((await json(request)) as Fault);
      return {};
    case 'POST /restart':
      hns.restart();
      return {};
    case 'POST /namespaces':
      return hns.createNamespace(url.searchParams.get('type') ?? undefined);
    default:
      return undefined;
  }
}
