// The listening socket: one presence connection per client process, one connection per running call.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type AnswerFrame, type CallFrame, decodeCall, encodeAnswer, FrameReader } from './wire.ts';

export interface Listener {
  /** Returns an answer, or undefined to drop the connection. Stays pending while the call hangs. */
  call(frame: CallFrame): Promise<AnswerFrame | undefined>;
  clientGone(client: number): void;
}

export class Connections {
  readonly #listener: Listener;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #busy = new Set<Socket>();
  readonly #clients = new Set<number>();
  readonly #localCalls = new Set<() => void>();
  #nextClient = 1;

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  async listen(port: number): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : port}`;
  }

  /** Returns whether the client process is alive. */
  isPresent(client: number): boolean {
    return this.#clients.has(client);
  }

  /** Drops the connections of running calls, as when the service process ends. */
  dropCalls(): void {
    for (const socket of this.#busy) socket.destroy();
    for (const drop of this.#localCalls) drop();
  }

  /** Admits a client in this process, whose calls need no connection. Each resolves like `Listener.call`. */
  admitLocal(): (call: Omit<CallFrame, 'client'>) => Promise<AnswerFrame | undefined> {
    const client = this.#admit();
    return async (call) => {
      const { promise: dropped, resolve } = Promise.withResolvers<undefined>();
      const drop = () => resolve(undefined);
      this.#localCalls.add(drop);
      const answer = this.#listener.call({ client, ...call });
      return Promise.race([answer, dropped]).finally(() => this.#localCalls.delete(drop));
    };
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    const reader = new FrameReader();
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#busy.delete(socket);
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) void this.#receive(socket, frame);
      } catch (error) {
        abandon(socket, error);
      }
    });
  }

  async #receive(socket: Socket, frame: Buffer): Promise<void> {
    try {
      if (frame.length === 0) this.#attach(socket);
      else await this.#answer(socket, decodeCall(frame));
    } catch (error) {
      abandon(socket, error);
    }
  }

  #admit(): number {
    const client = this.#nextClient++;
    this.#clients.add(client);
    return client;
  }

  /** An empty frame requests a client number; that connection then stays open as long as the client lives. */
  #attach(socket: Socket): void {
    const client = this.#admit();
    socket.on('close', () => {
      this.#clients.delete(client);
      this.#listener.clientGone(client);
    });
    const number = Buffer.alloc(4);
    number.writeUInt32LE(client);
    socket.write(number);
  }

  async #answer(socket: Socket, frame: CallFrame): Promise<void> {
    this.#busy.add(socket);
    const answer = await this.#listener.call(frame).finally(() => this.#busy.delete(socket));
    if (answer) socket.write(encodeAnswer(answer));
    else socket.destroy();
  }
}

/** A bad frame or answer closes its connection and leaves the service running. */
function abandon(socket: Socket, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The simulated service dropped a connection: ${reason.replaceAll('\n', ' ')}\n`);
  socket.destroy();
}
