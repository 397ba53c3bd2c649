import { expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

/** The CPU time in microseconds of refusing a configuration with this number of unknown keys. */
function refusing(keys: number): number {
  const unknown = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, index]));
  const opened = openConfig({ name: 'n', networkType: 'NAT', ...unknown }, 'win-hcn.exe', '');
  const before = process.cpuUsage();
  expect(() => readNetworkConfig(opened.json, {}, opened)).toThrow('/k0 is an unknown key (value: 0)');
  return process.cpuUsage(before).user;
}

test('a configuration is refused in time that grows with the number of its unknown keys, not with their square', () => {
  refusing(1000);
  const few = Math.max(1, Math.min(refusing(500), refusing(500)));
  expect(Math.min(refusing(8000), refusing(8000)) / few).toBeLessThan(16 * 5);
});
