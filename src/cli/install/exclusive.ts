import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { CniError, code, errorMessage } from '../../cni/error.ts';
import { isObject } from '../../json/members.ts';

/**
 * Runs `work` while no other process changes these folders; throws CniError if one does. The mutex is a named pipe, on Linux an abstract
 * socket: it ends with its process, however that ends.
 */
export async function exclusively<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  const servers = new Map<string, Server>();
  try {
    for (const folder of folders) {
      const name = mutexName(folder, process.platform === 'win32');
      if (!servers.has(name)) servers.set(name, await listen(name, folder));
    }
    return await work();
  } finally {
    for (const server of servers.values()) await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Only administrators can create pipes with the protected prefix, so no other account can hold the name to prevent installations.
 * https://www.tiraniddo.dev/2017/11/named-pipe-secure-prefixes.html
 */
export function mutexName(folder: string, windows: boolean): string {
  const key = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  const prefix = windows ? '\\\\.\\pipe\\ProtectedPrefix\\Administrators\\' : '\0';
  return `${prefix}win-hcn-install-${key}`;
}

async function listen(name: string, folder: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(name, resolve);
    });
    return server;
  } catch (cause) {
    // Windows refuses a name that another account holds, and one that only administrators may use, with EACCES.
    const isRefused = isObject(cause) && ['EADDRINUSE', 'EACCES', 'EPERM'].includes(String(cause['code']));
    const message = isRefused
      ? `another command of win-hcn is changing ${folder}, or this account is not an administrator. Run this command again as an administrator`
      : `cannot check whether another command of win-hcn is changing ${folder}: ${errorMessage(cause)}`;
    throw new CniError(code.tryAgainLater, message, { cause });
  }
}
