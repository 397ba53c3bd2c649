import { describe, expect, test } from 'vitest';
import { aclRows } from '../../../../src/cli/inventory/acl-row.ts';

const any = {
  protocols: 'any',
  localAddresses: 'any',
  localPorts: 'any',
  remoteAddresses: 'any',
  remotePorts: 'any',
};
const hidden = (direction: string) => ({ ...any, direction, action: 'Block', hnsDefault: true });

describe('the ACLs of an endpoint', () => {
  test('are empty with only other policies', () => {
    expect(aclRows([{ Type: 'OutBoundNAT' }])).toEqual([]);
  });

  test('are in order of direction and priority, with the default block of HNS last in both directions', () => {
    const acl = (Settings: Readonly<Record<string, unknown>>) => ({ Type: 'ACL', Settings });
    expect(
      aclRows([
        acl({ Direction: 'In', Action: 'Allow' }),
        acl({ Direction: 'In', Action: 'Allow', Priority: 300, Protocols: '6,17', LocalPorts: '80,443' }),
        { Type: 'OutBoundNAT' },
        acl({ Direction: 'in', Action: 'Block', Priority: 200, RemoteAddresses: '10.9.0.0/16' }),
        acl({ Direction: 'In', Action: 'Allow', Priority: 300, Protocols: '256', RuleType: 'Switch' }),
      ]),
    ).toEqual([
      {
        ...any,
        direction: 'In',
        priority: 200,
        action: 'Block',
        remoteAddresses: '10.9.0.0/16',
        hnsDefault: false,
      },
      {
        ...any,
        direction: 'In',
        priority: 300,
        action: 'Allow',
        protocols: 'tcp,udp',
        localPorts: '80,443',
        hnsDefault: false,
      },
      { ...any, direction: 'In', priority: 300, action: 'Allow', ruleType: 'Switch', hnsDefault: false },
      { ...any, direction: 'In', action: 'Allow', hnsDefault: false },
      hidden('In'),
      hidden('Out'),
    ]);
  });

  test('allow incoming traffic without a direction and an action', () => {
    expect(aclRows([{ Type: 'ACL', Settings: { Priority: 100 } }])[0]).toEqual({
      ...any,
      direction: 'In',
      priority: 100,
      action: 'Allow',
      hnsDefault: false,
    });
  });
});
