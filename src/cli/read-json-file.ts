import { readConfigFile } from './config-file.ts';
import type { Session } from './session.ts';

/**
 * A file's JSON, undefined where it is none. What is wrong with it is told: all that a runtime would stumble over, or what makes it
 * unreadable, such as not the UTF-16 that PowerShell's `>` writes. Throws ReadError.
 */
export function readJsonFile(file: string, session: Session, telling: 'all' | 'unreadable'): unknown {
  const { value, problems } = readConfigFile(session.read(file));
  const name = file === '-' ? 'stdin' : file;
  const told = telling === 'all' || value === undefined ? problems : [];
  for (const { line, column, text } of told)
    session.printStderr(`${name}:${line}:${column}: problem: ${text}`);
  return value;
}
