import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** The TypeScript compiler, open on the project of a folder. */
export interface Compiler {
  /** The syntax tree of a file, named relative to the folder. Throws when the project does not include it. */
  parse(file: string): SourceFile;
  /** Whether a file would still compile with another text. */
  accepts(file: string, text: string): boolean;
  close(): void;
}

export function openCompiler(folder: string): Compiler {
  const root = resolve(folder);
  const replaced = new Map<string, string>();
  const api = new API({ cwd: root, fs: { readFile: (name) => replaced.get(name) } });
  let snapshot = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') });
  const program = () => {
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`${root} has no tsconfig.json`);
    return project.program;
  };
  const replace = (name: string, text: string): void => {
    replaced.set(name, text);
    snapshot = api.updateSnapshot({ fileChanges: { changed: [name] } });
  };
  return {
    parse: (file) => {
      const source = program().getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`${file} is not part of the TypeScript project`);
      return source;
    },
    accepts: (file, text) => {
      const name = join(root, file);
      replace(name, text);
      try {
        const { length } = program().getSemanticDiagnostics(name);
        return length === 0 && program().getSyntacticDiagnostics(name).length === 0;
      } finally {
        replace(name, readFileSync(name, 'utf8'));
      }
    },
    close: () => api.close(),
  };
}
