import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suitePrefix } from './suite.ts';

/** Returns the checksum in the header of an executable on drive C, and the one that Wine's ImageHlp computes. */
export async function imageHlpChecksums(file: string): Promise<{ stored: number; computed: number }> {
  const program = 'build/checksum.exe';
  const source = join(import.meta.dirname, 'checksum.c');
  const options = ['-s', '-Wall', '-Wextra', '-Werror', '-o', program, source, '-limagehlp'];
  execFileSync('x86_64-w64-mingw32-gcc', options);
  const { stdout } = await suitePrefix().run(suitePrefix().install(program, 'C:\\checksum'), [file]);
  const [, stored = '', computed = ''] = /^([0-9a-f]+) ([0-9a-f]+)\r?\n$/.exec(stdout) ?? [];
  if (stored === '') throw new Error(`checksum.exe printed ${JSON.stringify(stdout)}`);
  return { stored: Number.parseInt(stored, 16), computed: Number.parseInt(computed, 16) };
}
