import { describe, expect, test } from 'vitest';
import { fillPlaceholders, hasPlaceholders } from '../../../../src/cli/install/placeholders.ts';

const dualStack = ['10.244.3.0/24', 'fd00:10:244:3::/64'];

describe('a placeholder', () => {
  test.each([
    ['{{.PodCIDR}}', '10.244.3.0/24'],
    ['{{ .PodCIDR }}', '10.244.3.0/24'],
    ['{{index .PodCIDRRanges 0}}', '10.244.3.0/24'],
    ['{{index .PodCIDRRanges 1}}', 'fd00:10:244:3::/64'],
    ['{{address .PodCIDR 1}}', '10.244.3.1'],
    ['{{address .PodCIDR 254}}', '10.244.3.254'],
    ['{{address (index .PodCIDRRanges 1) 2}}', 'fd00:10:244:3::2'],
    ['{{address (index .PodCIDRRanges 1) 65536}}', 'fd00:10:244:3::1:0'],
    ['"{{.PodCIDR}}", "{{address .PodCIDR 2}}"', '"10.244.3.0/24", "10.244.3.2"'],
  ])('%s is replaced by %s', (conflist, filled) => {
    expect(fillPlaceholders(conflist, dualStack)).toBe(filled);
  });

  test('counts addresses across octets', () => {
    expect(fillPlaceholders('{{address .PodCIDR 258}}', ['10.244.0.0/16'])).toBe('10.244.1.2');
  });

  test.each([
    [
      '{{index .PodCIDRRanges 1}}',
      '{{index .PodCIDRRanges 1}} has no value: the node has only 10.244.3.0/24. Delete what uses the placeholder, or give the cluster ' +
        'a pod network of both address families',
    ],
    [
      '{{address .PodCIDR 0}}',
      '{{address .PodCIDR 0}} has no value: 10.244.3.0/24 has no host address number 0',
    ],
    [
      '{{address .PodCIDR 255}}',
      '{{address .PodCIDR 255}} has no value: 10.244.3.0/24 has no host address number 255',
    ],
    [
      '{{address .PodCIDR 99999999999}}',
      '{{address .PodCIDR 99999999999}} has no value: 10.244.3.0/24 has no host address number 99999999999',
    ],
    ...['{{.Routes}}', '{{range .PodCIDRRanges}}', '{{.PodCIDR', '{{}}'].map((unknown) => [
      unknown,
      `${unknown} is not a placeholder. Use {{.PodCIDR}}, {{index .PodCIDRRanges 1}}, {{address .PodCIDR 2}} or ` +
        '{{address (index .PodCIDRRanges 1) 2}}',
    ]),
  ])('%s without a value is refused', (conflist, message) => {
    expect(() => fillPlaceholders(conflist, dualStack.slice(0, 1))).toThrow(
      expect.objectContaining({ message }),
    );
  });
});

test('a conflist without placeholders is unchanged and needs no node', () => {
  const conflist = '{"plugins":[{"ipam":{"a":{"b":1}}}]}';
  expect([hasPlaceholders(conflist), fillPlaceholders(conflist, [])]).toEqual([false, conflist]);
  expect(hasPlaceholders('{{.PodCIDR}}')).toBe(true);
});
