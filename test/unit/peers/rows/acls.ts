import { l2bridge } from '../inputs.ts';
import type { Row } from '../row.ts';
import { policiesOf } from '../win-hcn.ts';

const types = ['ACL'];

export const aclRows: readonly Row[] = [
  {
    intent: 'ACLs that allow a port and a node inbound and block the rest',
    peer: 'azure-npm',
    source:
      'Azure/azure-container-networking npm/pkg/dataplane/policies/policymanager_windows.go getEPPolicyReqFromACLSettings',
    theirs: {
      Policies: [
        {
          Type: 'ACL',
          Settings: {
            Id: 'azure-acl-x-y',
            Protocols: '6',
            Action: 'Allow',
            Direction: 'In',
            RemoteAddresses: '10.244.2.0/24,10.244.3.0/24',
            LocalPorts: '80',
            RuleType: 'Switch',
            Priority: 222,
          },
        },
        {
          Type: 'ACL',
          Settings: {
            Id: 'azure-acl-x-y',
            Action: 'Block',
            Direction: 'In',
            RuleType: 'Switch',
            Priority: 3000,
          },
        },
        {
          Type: 'ACL',
          Settings: {
            Id: 'azure-acl-x-y',
            Action: 'Allow',
            Direction: 'In',
            RemoteAddresses: '10.0.0.4',
            RuleType: 'Switch',
            Priority: 201,
          },
        },
      ],
    },
    ours: () =>
      policiesOf(
        {
          ...l2bridge,
          acls: [
            {
              action: 'Allow',
              direction: 'In',
              protocols: ['tcp'],
              remoteAddresses: ['10.244.2.0/24', '10.244.3.0/24'],
              localPorts: [80],
              priority: 222,
            },
            { action: 'Block', direction: 'In', priority: 3000 },
            { action: 'Allow', direction: 'In', remoteAddresses: ['10.0.0.4'], priority: 201 },
          ],
          defaultAction: 'Allow',
        },
        types,
      ),
    reasons: {
      ...Object.fromEntries(
        ['ACL', 'ACL#2', 'ACL#3'].map((key) => [
          `- Policies[${key}].Settings.Id`,
          'azure-npm uses the id to find and remove its own rules (policymanager_windows.go compareAndRemovePolicies); win-hcn deletes ACLs with their endpoint.',
        ]),
      ),
      '+ Policies[ACL#4]':
        'HNS blocks traffic without a matching ACL as soon as any ACL exists (microsoft/Windows-Containers#616), so the configuration states the default; azure-npm relies on the rules of priority 65500 that AKS configures (Azure/AgentBaker staging/cse/windows/azurecnifunc.ps1 Set-AzureCNIConfig).',
      '+ Policies[ACL#5]':
        'The same rule for outbound traffic; AKS configures both (Azure/AgentBaker staging/cse/windows/azurecnifunc.ps1 Set-AzureCNIConfig).',
    },
  },
];
