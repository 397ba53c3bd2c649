// The frames between stub and service. stub/call.c describes their layout.

export interface CallFrame {
  readonly client: number;
  readonly handle: number;
  /** Lower case without braces; undefined for functions without a GUID. */
  readonly guid: string | undefined;
  readonly function: string;
  readonly strings: readonly (string | null)[];
}

export interface AnswerFrame {
  readonly hresult: number;
  readonly handle?: number;
  readonly value?: string | undefined;
  readonly errorRecord?: string | undefined;
}

export function decodeCall(frame: Buffer): CallFrame {
  const hasGuid = frame.readUInt8(12) === 1;
  const nameEnd = 30 + frame.readUInt8(29);
  const strings: (string | null)[] = [];
  let at = nameEnd + 1;
  for (let left = frame.readUInt8(nameEnd); left > 0; left--) {
    const units = frame.readInt32LE(at);
    const end = at + 4 + Math.max(units, 0) * 2;
    if (end > frame.length) throw new Error('A string of the frame is longer than the frame.');
    strings.push(units < 0 ? null : frame.toString('utf16le', at + 4, end));
    at = end;
  }
  if (at !== frame.length) throw new Error('The frame is longer than what is in it.');
  return {
    client: frame.readUInt32LE(0),
    handle: Number(frame.readBigUInt64LE(4)),
    guid: hasGuid ? guidFrom(frame.subarray(13, 29)) : undefined,
    function: frame.toString('latin1', 30, nameEnd),
    strings,
  };
}

export function encodeAnswer(answer: AnswerFrame): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(answer.hresult, 4);
  head.writeBigUInt64LE(BigInt(answer.handle ?? 0), 8);
  const frame = Buffer.concat([head, encodeString(answer.value), encodeString(answer.errorRecord)]);
  frame.writeUInt32LE(frame.length - 4, 0);
  return frame;
}

const longestFrame = 64 * 1024 * 1024;

/** Splits received data into frames. The first four bytes of each are its length. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: Buffer[] = [];
    while (this.#pending.length >= 4) {
      const end = 4 + this.#pending.readUInt32LE(0);
      if (end > longestFrame) throw new Error('The frame is too long.');
      if (this.#pending.length < end) break;
      frames.push(this.#pending.subarray(4, end));
      this.#pending = this.#pending.subarray(end);
    }
    return frames;
  }
}

function encodeString(text: string | undefined): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(text === undefined ? -1 : text.length);
  return Buffer.concat([length, Buffer.from(text ?? '', 'utf16le')]);
}

/** Decodes a GUID structure, whose first three fields are little-endian. */
function guidFrom(bytes: Buffer): string {
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  const hex = order.map((index) => bytes.readUInt8(index).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
