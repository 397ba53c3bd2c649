import { describe, expect, test } from 'vitest';
import { fillPlaceholders } from '../../../../src/cli/conflist/placeholders.ts';

const dualStack = ['10.244.3.0/24', 'fd00:10:244:3::/64'];

describe('a placeholder', () => {
  test.each([
    ['{{.PodCIDR}}', '10.244.3.0/24'],
    ['{{ .PodCIDR }}', '10.244.3.0/24'],
    ['{{index .PodCIDRRanges 0}}', '10.244.3.0/24'],
    ['{{index .PodCIDRRanges 1}}', 'fd00:10:244:3::/64'],
    ['{{address .PodCIDR 1}}', '10.244.3.1'],
    ['{{address (index .PodCIDRRanges 1) 2}}', 'fd00:10:244:3::2'],
    ['"{{.PodCIDR}}", "{{address .PodCIDR 2}}"', '"10.244.3.0/24", "10.244.3.2"'],
  ])('%s is replaced by %s', (conflist, filled) => {
    expect(fillPlaceholders(conflist, dualStack)).toBe(filled);
  });

  test.each([
    [
      '{{index .PodCIDRRanges 1}}',
      '{{index .PodCIDRRanges 1}} has no value: the node has only 10.244.3.0/24',
    ],
    ...['{{.Routes}}', '{{range .PodCIDRRanges}}', '{{.PodCIDR', '{{}}', '{{address .PodCIDR 3}}'].map(
      (unknown) => [unknown, `${unknown} is not a placeholder: deploy/README.md lists them`],
    ),
  ])('%s without a value is refused', (conflist, message) => {
    expect(() => fillPlaceholders(conflist, dualStack.slice(0, 1))).toThrow(
      expect.objectContaining({ message }),
    );
  });
});

test('a conflist without placeholders is unchanged', () => {
  const conflist = '{"plugins":[{"ipam":{"a":{"b":1}}}]}';
  expect(fillPlaceholders(conflist, [])).toBe(conflist);
});
