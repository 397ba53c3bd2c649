import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { image } from '../../packaging/image/image.mjs';
import { containerdMissing, importImage } from './containerd.ts';

test.skipIf(containerdMissing() !== undefined)(
  'containerd imports and unpacks the image under the name of deploy/, with the digest of its manifest',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'win-hcn-archive-'));
    const file = join(folder, 'win-hcn.oci.tar');
    const release = { version: '1.2.3', architecture: 'amd64', time: new Date(1e12) } as const;
    const built = image({ 'win-hcn.exe': Buffer.from('exe'), LICENSE: Buffer.from('MIT') }, release);
    writeFileSync(file, built.archive);
    const [line, ...files] = importImage(file, 'registry.example/win-hcn');
    rmSync(folder, { recursive: true });
    expect(line).toMatch(
      new RegExp(
        `^registry.example/win-hcn:1.2.3 application/vnd.oci.image.manifest.v1.json ${built.digest} complete \\(2/2\\) .* true`,
      ),
    );
    expect(files).toEqual([
      './Files/LICENSE',
      './Files/Windows/System32/config/DEFAULT',
      './Files/Windows/System32/config/SAM',
      './Files/Windows/System32/config/SECURITY',
      './Files/Windows/System32/config/SOFTWARE',
      './Files/Windows/System32/config/SYSTEM',
      './Files/win-hcn.exe',
    ]);
  },
);
