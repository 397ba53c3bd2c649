import { describe, expect, test } from 'vitest';
import { evaluateAcls } from '../../../src/cli/explain-acl/evaluate-acls.ts';
import { aclRows } from '../../../src/cli/inventory/acl-row.ts';
import type { Traffic } from '../../../src/cli/traffic/match-traffic.ts';

type Settings = Readonly<Record<string, unknown>>;

const traffic: Traffic = {
  protocol: 6,
  localAddresses: ['10.244.1.2'],
  localPort: 80,
  remoteAddress: '10.9.0.7',
};

/** What is decided of traffic that comes in, and which of the rules decide or may, HNS's own being `HNS`. */
function decide(settings: readonly Settings[], more: Partial<Traffic> = {}) {
  const policies = settings.map((Settings) => ({ Type: 'ACL', Settings: { Direction: 'In', ...Settings } }));
  const acls = aclRows(policies).filter(({ direction }) => direction === 'In');
  const { lines, ...decision } = evaluateAcls(acls, { ...traffic, ...more });
  const deciding = lines
    .filter(({ decides }) => decides !== 'no')
    .map(({ acl }) => (acl.hidden ? 'HNS' : (acl.priority ?? 'none')));
  return { ...decision, deciding };
}

const allow = (Priority: number | undefined, settings: Settings = {}) => ({
  Action: 'Allow',
  Priority,
  ...settings,
});
const block = (Priority: number | undefined, settings: Settings = {}) => ({
  Action: 'Block',
  Priority,
  ...settings,
});

describe('what becomes of traffic', () => {
  test('is that it is allowed where there is no ACL', () => {
    expect(decide([])).toEqual({ action: 'Allow', deciding: [] });
  });

  test.each([
    ['the lowest priority', [block(300), allow(200)], 'Allow', [200]],
    ['the first that matches', [block(100, { LocalPorts: '443' }), allow(200), block(300)], 'Allow', [200]],
    ['the first of those of one priority that agree', [allow(200), allow(200)], 'Allow', [200]],
    ["HNS's own block, where none matches", [allow(200, { Protocols: '17' })], 'Block', ['HNS']],
    ['a priority before none', [block(undefined), allow(65500)], 'Allow', [65500]],
    ["a rule without a priority before HNS's own", [allow(undefined)], 'Allow', ['none']],
    ['priority 0 before others', [block(1), allow(0)], 'Allow', [0]],
  ])('is decided by %s', (_name, acls, action, deciding) => {
    expect(decide(acls)).toEqual({ action, deciding });
  });

  test.each([
    ['rules of one priority contradict each other', [allow(200), block(200)], 'equal priority', [200, 200]],
    ['rules without a priority do', [allow(undefined), block(undefined)], 'equal priority', ['none', 'none']],
    [
      'a rule may come before that says otherwise',
      [block(100, { RemoteAddresses: 'set-1' }), allow(200)],
      'missing information',
      [100, 200],
    ],
    [
      'a rule of the same priority may match and says otherwise',
      [block(200, { RemoteAddresses: 'set-1' }), allow(200)],
      'missing information',
      [200, 200],
    ],
    [
      "a rule may allow what HNS's own blocks",
      [allow(200, { RemoteAddresses: 'set-1' })],
      'missing information',
      [200, 'HNS'],
    ],
  ])('is open where %s', (_name, acls, open, deciding) => {
    expect(decide(acls)).toEqual({ open, deciding });
  });

  test('is certain where a rule that may match says the same', () => {
    expect(decide([block(100, { RemoteAddresses: 'set-1' }), block(200)])).toEqual({
      action: 'Block',
      deciding: [100, 200],
    });
  });

  test('does not depend on a rule that may match and comes later', () => {
    expect(decide([allow(200), block(300, { RemoteAddresses: 'set-1' })])).toEqual({
      action: 'Allow',
      deciding: [200],
    });
  });

  test('does not depend on rules for something else of the same priority', () => {
    expect(decide([allow(200), block(200, { LocalPorts: '443' })])).toEqual({
      action: 'Allow',
      deciding: [200],
    });
  });
});
