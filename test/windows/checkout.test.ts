import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test('a checkout in a folder with a space and a percent sign builds the exe there', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'win hcn 100%25 '));
  try {
    for (const name of ['build.mjs', 'package.json', 'tsconfig.json', 'schemas', 'src', 'packaging']) {
      const isCopied = (file: string): boolean =>
        !file.includes('node_modules') && !file.includes('generated');
      cpSync(name, join(checkout, name), { recursive: true, filter: isCopied });
    }
    for (const name of ['node_modules', 'packaging/node_modules'].filter(existsSync)) {
      symlinkSync(resolve(name), join(checkout, name), 'dir');
    }
    execFileSync(process.execPath, ['build.mjs', 'package'], { cwd: checkout, stdio: 'pipe' });
    expect(existsSync(join(checkout, 'dist/win-hcn.exe'))).toBe(true);
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
});
