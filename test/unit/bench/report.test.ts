import { expect, test } from 'vitest';
import { merge, type Report } from '../../bench/report.ts';

test('merged reports have the versions, sizes and measurements of all', () => {
  const report = (versions: Report['versions'], sizes: Report['sizes']): Report => ({
    machine: { cpu: 'Some CPU', cores: 2 },
    versions,
    sizes,
    lanes: [],
  });
  expect(merge([report({ Node: '24' }, { exe: 1 }), report({ Node: '24', Wine: '10' }, { exe: 2 })])).toEqual(
    report({ Node: '24', Wine: '10' }, { exe: 2 }),
  );
});
