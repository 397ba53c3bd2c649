import { foldKeys, isObject } from '../cni/text.ts';
import { readJsonFile } from './read-json-file.ts';
import { exitCode, type Session } from './session.ts';

/** Whether what may be a name is the path of a file: it ends like one, or names a folder; `-` is stdin. */
export function isPath(given: string): boolean {
  return given === '-' || /[\\/]|\.(conf|conflist|json)$/i.test(given);
}

/** The name that a configuration gives itself, whatever else is wrong with it; for undefined it is told that there is none. */
export function readConfigName(path: string, session: Session): string | undefined {
  const value = readJsonFile(path, session, 'unreadable');
  const { name } = isObject(value) ? foldKeys(value) : {};
  if (typeof name === 'string' && name !== '') return name;
  if (value !== undefined)
    session.printStderr(`${path === '-' ? 'stdin' : path}:1:1: problem: /name is missing`);
  session.setExitCode(exitCode.problemFound);
  return undefined;
}
