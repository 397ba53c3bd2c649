import { describe, expect, test } from 'vitest';
import { evaluateAcls } from '../../../src/cli/explain-acl/explain-acl.ts';
import { aclRows } from '../../../src/cli/inventory/acl-row.ts';
import type { Traffic } from '../../../src/cli/traffic/match-traffic.ts';

type Settings = Readonly<Record<string, unknown>>;

const traffic: Traffic = {
  protocol: 6,
  localAddresses: ['10.244.1.2'],
  localPort: 80,
  remoteAddress: '10.9.0.7',
};

/** The decision for inbound traffic, with the priorities of the ACLs that decide or may decide; `HNS` is the HNS default. */
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

describe('traffic', () => {
  test('is allowed without ACLs', () => {
    expect(decide([])).toEqual({ action: 'Allow', deciding: [] });
  });

  test.each([
    ['the lowest priority', [block(300), allow(200)], 'Allow', [200]],
    ['the first match', [block(100, { LocalPorts: '443' }), allow(200), block(300)], 'Allow', [200]],
    ['the first of two equal ACLs with the same priority', [allow(200), allow(200)], 'Allow', [200]],
    ['the HNS default without a match', [allow(200, { Protocols: '17' })], 'Block', ['HNS']],
    ['an ACL with a priority before one without', [block(undefined), allow(65500)], 'Allow', [65500]],
    ['an ACL without a priority before the HNS default', [allow(undefined)], 'Allow', ['none']],
    ['priority 0 before priority 1', [block(1), allow(0)], 'Allow', [0]],
  ])('is decided by %s', (_name, acls, action, deciding) => {
    expect(decide(acls)).toEqual({ action, deciding });
  });

  test.each([
    ['ACLs with the same priority conflict', [allow(200), block(200)], 'equal priority', [200, 200]],
    [
      'ACLs without a priority conflict',
      [allow(undefined), block(undefined)],
      'equal priority',
      ['none', 'none'],
    ],
    [
      'an earlier ACL may match and conflicts',
      [block(100, { RemoteAddresses: 'set-1' }), allow(200)],
      'missing information',
      [100, 200],
    ],
    [
      'an ACL with the same priority may match and conflicts',
      [block(200, { RemoteAddresses: 'set-1' }), allow(200)],
      'missing information',
      [200, 200],
    ],
    [
      'an ACL may allow what the HNS default blocks',
      [allow(200, { RemoteAddresses: 'set-1' })],
      'missing information',
      [200, 'HNS'],
    ],
  ])('has no known result if %s', (_name, acls, open, deciding) => {
    expect(decide(acls)).toEqual({ open, deciding });
  });

  test('has a known result if an ACL that may match agrees', () => {
    expect(decide([block(100, { RemoteAddresses: 'set-1' }), block(200)])).toEqual({
      action: 'Block',
      deciding: [100, 200],
    });
  });

  test('does not depend on a later ACL that may match', () => {
    expect(decide([allow(200), block(300, { RemoteAddresses: 'set-1' })])).toEqual({
      action: 'Allow',
      deciding: [200],
    });
  });

  test('does not depend on other ACLs with the same priority', () => {
    expect(decide([allow(200), block(200, { LocalPorts: '443' })])).toEqual({
      action: 'Allow',
      deciding: [200],
    });
  });
});
