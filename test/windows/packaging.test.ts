import { readFileSync } from 'node:fs';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { describe, expect, test } from 'vitest';
import { writeChecksum } from '../../packaging/pe-checksum.mjs';
import { missing } from './suite.ts';

describe.skipIf(missing !== undefined)('the bytes of win-hcn.exe', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

  test('carry our name and version, and no certificate that would be broken', () => {
    const exe = NtExecutable.from(readFileSync('dist/win-hcn.exe'), { ignoreCert: true });
    const [info] = Resource.VersionInfo.fromEntries(NtExecutableResource.from(exe).entries);
    const [language] = info?.getAllLanguagesForStringValues() ?? [];
    expect(language && info?.getStringValues(language)).toMatchObject({
      ProductName: 'win-hcn',
      OriginalFilename: 'win-hcn.exe',
      FileVersion: expect.stringContaining(version),
    });
    const security = 4;
    expect(exe.newHeader.optionalHeaderDataDirectory.get(security)).toMatchObject({
      size: 0,
      virtualAddress: 0,
    });
  });

  test('have the checksum that their header says', () => {
    const bytes = readFileSync('dist/win-hcn.exe');
    const checked = Buffer.from(bytes);
    writeChecksum(checked);
    expect(checked.equals(bytes)).toBe(true);
  });
});
