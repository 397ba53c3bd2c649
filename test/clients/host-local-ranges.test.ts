import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptedRanges, refusedRanges } from '../e2e/cli/refused-ranges.ts';
import { debianPlugins, debianPluginsMissing } from './debian-plugins.ts';

describe.skipIf(debianPluginsMissing() !== undefined)('host-local', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'win-hcn-leases-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const add = (ipam: object) =>
    spawnSync(join(debianPlugins, 'host-local'), {
      input: JSON.stringify({
        cniVersion: '1.0.0',
        name: 'n',
        ipam: { type: 'host-local', dataDir, ...ipam },
      }),
      env: {
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: 'pod1',
        CNI_NETNS: '/netns',
        CNI_IFNAME: 'eth0',
        CNI_PATH: debianPlugins,
      },
    }).status;

  test.each(refusedRanges)('refuses %s, as config check does', (_, ipam) => {
    expect(add(ipam)).toBe(1);
  });

  test.each(acceptedRanges)('accepts %s, as config check does', (_, ipam) => {
    expect(add(ipam)).toBe(0);
  });
});
