import { foldKeys, isObject } from '../cni/text.ts';
import { readConfigFile } from './config-file.ts';
import { exitCode, type Session } from './session.ts';

/** Whether what may be a name is the path of a file: it ends like one, or names a folder; `-` is stdin. */
export function isPath(given: string): boolean {
  return given === '-' || /[\\/]|\.(conf|conflist|json)$/i.test(given);
}

/** The name that a configuration gives itself, whatever else is wrong with it; for undefined it is told that there is none. */
export function nameIn(path: string, session: Session): string | undefined {
  const { value, problems } = readConfigFile(session.read(path));
  const { name } = isObject(value) ? foldKeys(value) : {};
  if (typeof name === 'string' && name !== '') return name;
  const file = path === '-' ? 'stdin' : path;
  const told = value === undefined ? problems : [{ line: 1, column: 1, text: '/name is missing' }];
  for (const { line, column, text } of told) session.remark(`${file}:${line}:${column}: problem: ${text}`);
  session.end(exitCode.problemFound);
  return undefined;
}
