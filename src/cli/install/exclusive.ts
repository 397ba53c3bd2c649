import { createHash } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { CniError, code } from '../../cni/error.ts';
import { isMissingFile } from '../terminal/file-error.ts';
import { isSamePath } from '../terminal/windows-path.ts';

/**
 * Runs `work` while no other process changes these folders; throws CniError if one does. The mutex is a named pipe, on Linux an abstract
 * socket: it ends with its process, however that ends. `addresses` returns names for it, the best first; the next one is used only if this
 * account must not use those before.
 */
export async function exclusively<T>(
  folders: readonly string[],
  work: () => Promise<T>,
  addresses = (folder: string) => addressesOf(folder, process.platform === 'win32'),
): Promise<T> {
  const [folder, ...others] = folders.filter(
    (one, index) => folders.findIndex((other) => isSamePath(one, other)) === index,
  );
  if (folder === undefined) return work();
  const server = await lock(folder, addresses(folder));
  try {
    return await exclusively(others, work, addresses);
  } finally {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

/**
 * The mutex's names. Only administrators can create pipes with the protected prefix, so no other account can hold the first name to prevent
 * installations. Accounts without that right, which cannot change an installation but can show its steps, use the second one.
 * https://www.tiraniddo.dev/2017/11/named-pipe-secure-prefixes.html
 */
export function addressesOf(folder: string, windows: boolean): readonly string[] {
  const key = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  const name = `win-hcn-install-${key}`;
  return windows
    ? [`\\\\.\\pipe\\ProtectedPrefix\\Administrators\\${name}`, `\\\\.\\pipe\\${name}`]
    : [`\0${name}`];
}

async function lock(folder: string, addresses: readonly string[]): Promise<Server> {
  let refused: unknown;
  // Twice each: the process that held the name may end between listen and isHeld.
  for (const address of addresses.flatMap((each) => [each, each])) {
    try {
      return await listen(address);
    } catch (cause) {
      if (!isRefused(cause) || (await isHeld(address))) throw refusal(folder, address, cause);
      refused = cause;
    }
  }
  throw refusal(folder, addresses.at(-1) ?? '', refused);
}

function listen(address: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

/** Whether a process listens: Windows refuses a name that is taken and one that this account must not use with the same code. */
function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(address, () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error) => resolve(!isMissingFile(error) && codeOf(error) !== 'ECONNREFUSED'));
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Windows refuses a second server of a pipe with EACCES if its owner is another account, such as SYSTEM. */
function isRefused(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES', 'EPERM'].some((one) => one === codeOf(error));
}

function refusal(folder: string, address: string, cause: unknown): CniError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = isRefused(cause)
    ? `another command of win-hcn is changing ${folder}: run this command again when it has finished. If none runs, another program ` +
      `holds the name ${address.replace('\0', '@')}: end it`
    : `cannot check whether another command of win-hcn is changing ${folder}: ${reason}`;
  return new CniError(code.tryAgainLater, message, { cause });
}
