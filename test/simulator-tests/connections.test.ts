import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { startHns } from '../simulator/hns.ts';
import { encodeAnswer, FrameReader } from '../simulator/wire.ts';
import { createNetwork, hex, hnsAroundEach, nat } from './test-client.ts';

const service = hnsAroundEach();
const id = '00000000-0000-0000-0000-000000000007';
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(): Promise<Socket> {
  const [host = '', port = ''] = service.hns.address.split(':');
  const socket = connect(Number(port), host);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

function frame(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

function call(client: number, name: string, ...strings: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(client);
  head.writeUInt8(1, 12);
  head.writeUInt8(7, 28);
  head.writeUInt8(name.length, 29);
  return frame(head, Buffer.from(name), Buffer.from([strings.length]), ...strings);
}

function unitsWithout(count: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(count);
  return length;
}

describe('malformed input', () => {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => written.push(String(line)) > 0);
  });
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ['a frame that is too short', frame(Buffer.from([1, 2, 3]))],
    ['a string that is longer than its frame', call(1, 'HcnEnumerateNetworks', unitsWithout(1_000_000))],
    ['a frame with trailing bytes', frame(call(1, 'HcnOpenNetwork').subarray(4), Buffer.alloc(3))],
    ['a frame of 4 GB', Buffer.alloc(8, 0xff)],
  ])('%s costs its connection and one line, not the service', async (_, bytes) => {
    const socket = await open();
    socket.write(bytes);
    await once(socket, 'close');
    expect(written).toEqual([
      expect.stringMatching(/^The simulated service dropped a connection: [^\n]+\n$/),
    ]);
    expect((await network.enumerate(null)).hresult).toBe(0);
  });
});

it('a handle opened for a client that died during the call is closed, as by RPC rundown [S]', async () => {
  await createNetwork(nat, id);
  service.hns.clearCalls();
  service.hns.inject({ function: 'HcnOpenNetwork', effect: { delayMs: 200 } });
  const presence = await open();
  presence.write(Buffer.alloc(4));
  const [number] = (await once(presence, 'data')) as [Buffer];
  const calling = await open();
  calling.write(call(number.readUInt32LE(), 'HcnOpenNetwork'));
  await expect.poll(() => service.hns.dump().clients).toBe(2);
  presence.destroy();
  calling.destroy();
  await expect.poll(() => service.hns.calls).toEqual([{ function: 'HcnOpenNetwork', id, hresult: 0 }]);
  expect(service.hns.dump().openHandles).toBe(0);
});

describe('the stub', () => {
  it('does not reuse an idle connection that the service closed', async () => {
    const server = createServer((socket) => {
      const reader = new FrameReader();
      socket.on('data', (chunk: Buffer) => {
        for (const { length } of reader.push(chunk)) {
          if (length === 0) socket.write(Buffer.from([1, 0, 0, 0]));
          else socket.end(encodeAnswer({ hresult: 0, value: '[]' }));
        }
      });
      socket.on('error', () => socket.destroy());
      sockets.push(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    process.env['WIN_HCN_SIMULATED_HNS'] = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    for (let call = 1; call <= 3; call++) {
      const { hresult } = await network.enumerate(null);
      expect({ call, hresult: hex(hresult) }).toEqual({ call, hresult: '0x00000000' });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    server.close();
  });
  it('reconnects to a service that restarts on the same port', async () => {
    expect((await network.enumerate(null)).hresult).toBe(0);
    await service.hns.stop();
    const hns = await startHns({ port: Number(service.hns.address.split(':')[1]) });
    expect((await network.enumerate(null)).hresult).toBe(0);
    expect(hns.dump()).toMatchObject({ clients: 1, calls: 1 });
    await hns.stop();
  });
});
