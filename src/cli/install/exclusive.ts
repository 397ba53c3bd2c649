import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { CniError, code } from '../../cni/error.ts';
import { isSamePath } from '../doctor/windows-path.ts';

/**
 * Runs `work` while no other process changes these folders; throws CniError if one does. The mutex is a named pipe, on Linux an abstract
 * socket: it ends with its process, however that ends.
 */
export async function exclusively<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  const [folder, ...others] = folders.filter(
    (one, index) => folders.findIndex((other) => isSamePath(one, other)) === index,
  );
  if (folder === undefined) return work();
  const server = await listen(folder);
  try {
    return await exclusively(others, work);
  } finally {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

function listen(folder: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(refusal(folder, cause)));
    server.listen(addressOf(folder), () => resolve(server));
  });
}

function addressOf(folder: string): string {
  const key = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  return process.platform === 'win32' ? `\\\\.\\pipe\\win-hcn-install-${key}` : `\0win-hcn-install-${key}`;
}

/** Windows refuses a second server of a pipe with EACCES if its owner is another account, such as SYSTEM. */
function refusal(folder: string, cause: NodeJS.ErrnoException): CniError {
  const isTaken = cause.code === 'EADDRINUSE' || cause.code === 'EACCES' || cause.code === 'EPERM';
  const message = isTaken
    ? `another command of win-hcn is changing ${folder}: run this command again when it has finished`
    : `cannot check whether another command of win-hcn is changing ${folder}: ${cause.message}`;
  return new CniError(code.tryAgainLater, message, { cause });
}
