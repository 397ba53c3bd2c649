import { type Action, FileError } from './file-error.ts';
import type { Terminal } from './terminal.ts';

/** Wraps a terminal: errors state which file cannot be read or written, and why. They keep the code of node:fs. */
export function withFileErrors(terminal: Terminal): Terminal {
  const worded =
    <Rest extends readonly unknown[], T>(action: Action, work: (path: string, ...rest: Rest) => T) =>
    (path: string, ...rest: Rest): T => {
      try {
        return work(path, ...rest);
      } catch (cause) {
        throw new FileError(action, path, cause);
      }
    };
  return {
    ...terminal,
    get width() {
      return terminal.width;
    },
    readFile: worded('read', terminal.readFile),
    listFolder: worded('list', terminal.listFolder),
    writeFile: worded('write', terminal.writeFile),
    checkCreatable: worded('create', terminal.checkCreatable),
    createCopy: worded('create', terminal.createCopy),
    removeFile: worded('remove', terminal.removeFile),
  };
}
