import { describe, expect, test } from 'vitest';
import { previewCounts, previewProperties } from './preview.properties.ts';
import { tryEach } from './try-each.ts';

describe('a preview', () => {
  tryEach(previewProperties);

  test('was compared with executed steps in most runs', () => {
    expect(previewCounts.executed / previewCounts.runs).toBeGreaterThan(0.5);
  });
});
