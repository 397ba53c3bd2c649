import { networkId } from '../../src/model/identity.ts';
import { dualStack, l2bridge, nat, withHostEndpoint } from './configurations.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
/** The ID of kube-proxy's endpoint for the address 10.244.1.x. */
const remote = (last: number) => `7f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9${last}`;
const service = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';

/** kube-proxy's endpoint for a backend that was a pod on another node. */
const createRemote = ({ hcn, event }: Stage, last: number) =>
  event(`kube-proxy creates a remote endpoint 10.244.1.${last}`, () =>
    hcn.createEndpoint(networkId('l2bridge'), remote(last), {
      Name: 'Ethernet',
      HostComputeNetwork: networkId('l2bridge'),
      IpConfigurations: [{ IpAddress: `10.244.1.${last}` }],
      Flags: 1,
      SchemaVersion,
    }),
  );

const portMappings = [{ hostPort: 80, containerPort: 80, protocol: 'tcp' }];

/** The settings of all policies of a type. */
const settings = ({ hns }: Stage, type: string) => {
  const policies = hns.dump().endpoints.flatMap(({ Policies }) => Object(Policies));
  return policies.flatMap(({ Type, Settings }) => (Type === type ? [Settings] : []));
};
const exceptions = (stage: Stage) => settings(stage, 'OutBoundNAT').map(({ Exceptions }) => Exceptions);

/** Reports on the endpoints of pods and of the node, and on their policies. */
export const endpoints: readonly Scenario[] = [
  {
    report: 'projectcalico/felix#2893',
    says: 'HNS accepts an endpoint, which then is in an invalid state and cannot be attached.',
    play: async ({ add, refuse, cli, hns, expect }) => {
      await refuse('HcnModifyNamespace', 'HCN_E_DEGRADED_OPERATION');
      await add('web', '100: … HCN_E_DEGRADED_OPERATION (0x803b0017) … "l2bridge" was created and stays…');
      await cli('explain 2151350295', 0, 'Endpoint is in invalid state');
      await add('web', '10.244.1.10');
      expect('networks', hns.takeInterruptions(), { creations: 1, deletions: 0 });
    },
    left: 'network l2bridge; pod web 10.244.1.10',
  },
  {
    report: 'containerd/containerd#5729',
    says: 'A placeholder that nobody replaced, <your service cidr>, is an exception of OutBoundNAT and degrades the endpoint.',
    config: { ...l2bridge, outboundNat: { exceptions: ['<your service cidr>'] } },
    play: async ({ add, cli }) => {
      await add('web', '7: …/outboundNat/exceptions/0…<your service cidr>…');
      await cli('config check net.conf', 1, '<your service cidr>');
    },
    left: 'of web: namespace',
  },
  {
    report: 'kubernetes/kubernetes#130963',
    says: 'A pod gets the address of a former Linux pod, whose remote endpoint kube-proxy has not deleted.',
    play: async (stage) => {
      const { add, hcn, event } = stage;
      await add('one', '10.244.1.10');
      await createRemote(stage, 11);
      await hcn.createLoadBalancer(service, {
        HostComputeEndpoints: [remote(11)],
        FrontendVIPs: ['10.96.0.20'],
        PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
        SchemaVersion,
      });
      await add('two', '100: … HCN_E_ADDR_INVALID_OR_RESERVED … is a backend of load balancers …');
      await event('kube-proxy deletes the service', () => hcn.deleteLoadBalancer(service));
      await add('two', '10.244.1.11');
    },
    left: 'network l2bridge; pod one 10.244.1.10; pod two 10.244.1.11',
  },
  {
    report: 'microsoft/Windows-Containers#631',
    says: 'Remote endpoints stay on busy nodes for ever after their pods have ended.',
    play: async (stage) => {
      await stage.add('one', '10.244.1.10');
      await createRemote(stage, 11);
      await stage.gc(['one'], 'ok');
      await stage.cli('gc --other-plugins', 0, 'No leftovers found.');
      await stage.del('one', 'ok');
      await createRemote(stage, 10);
      await stage.add('two', '10.244.1.10');
    },
    left: 'network l2bridge; pod two 10.244.1.10; endpoint Ethernet 10.244.1.11',
  },
  {
    report: 'kubernetes/kubernetes#74766',
    says: 'The first pod of a node on Windows Server 2019 fails: its address is the one of the bridge endpoint.',
    hns: { profile: 'ws2019' },
    config: withHostEndpoint,
    play: async ({ add, assign }) => {
      assign('10.244.1.2/24', '10.244.1.1');
      await add('web', '7: address 10.244.1.2 cannot be assigned: it is the gateway … raise rangeStart');
    },
    left: 'of web: namespace',
  },
  {
    report: 'kubernetes-sigs/sig-windows-tools#71',
    says: 'host-local assigns the address of the gateway, which HNS refuses as reserved.',
    play: async ({ add, assign }) => {
      assign('10.244.1.1/24', '10.244.1.1');
      await add('web', '7: address 10.244.1.1 cannot be assigned: it is the gateway … raise rangeStart');
    },
    left: 'of web: namespace',
  },
  {
    report: 'microsoft/Windows-Containers#485',
    says: 'HNS deletes neither a namespace nor the attachment of an endpoint while a container is there: 0x803b0015.',
    hns: { switches: { attachedEndpointDeletion: 'accepted' } },
    play: async ({ add, del, hns, pod, cli }) => {
      await add('web', '10.244.1.10');
      hns.attachContainer(pod('web').netns, 'stuck');
      await del('web', 'ok');
      await cli(`debug namespace delete ${pod('web').netns} --yes`, 1, '0x803b0015', 'Stop the pod first');
      await add('next', '10.244.1.10');
    },
    left: 'network l2bridge; of web: namespace; pod next 10.244.1.10',
  },
  {
    report: 'antrea-io/antrea#2306',
    says: 'A detached endpoint shows the zero GUID as its namespace.',
    play: async ({ add, del, detach, cli }) => {
      await add('web', '10.244.1.10');
      await detach('web');
      await cli('gc', 1, 'in no namespace');
      await del('web', 'ok');
    },
    left: 'network l2bridge',
  },
  {
    report: 'flannel-io/flannel#1112',
    says: 'HNS refuses to attach the bridge endpoint to the host at first: "the wrong diskette is in the drive".',
    hns: { switches: { hostAttach: 'after refusals' } },
    config: withHostEndpoint,
    play: ({ add }) => add('web', '10.244.1.10'),
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2',
  },
  {
    report: 'microsoft/windows-container-networking#116',
    says: 'HNS adds a default route through the bridge endpoint, so the node has two.',
    hns: { switches: { unspecifiedNextHop: 'refused' } },
    config: withHostEndpoint,
    play: async ({ add, hns, expect }) => {
      await add('web', '10.244.1.10');
      const routes = hns.nodeRoutes().filter(({ prefix }) => prefix === '0.0.0.0/0');
      const gateways = routes.map(({ nextHop }) => nextHop);
      expect('default gateways', gateways, ['10.0.0.1']);
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2',
  },
  {
    report: 'microsoft/hcsshim#1951',
    says: 'HNS refuses an OutBoundNAT exception with host bits, such as 172.17.0.1/16, since Windows Server 2022.',
    config: { ...l2bridge, outboundNat: { exceptions: ['172.17.0.1/16'] } },
    play: async (stage) => {
      await stage.add('web', '10.244.1.10');
      stage.expect('exceptions', exceptions(stage), [['172.17.0.0/16']]);
    },
    left: 'network l2bridge; pod web 10.244.1.10',
  },
  {
    report: 'Azure/AgentBaker#3049',
    says: 'HNS wants the OutBoundNAT exceptions of each IP family in a list of their own.',
    config: { ...dualStack, outboundNat: { exceptions: ['10.0.0.0/8', 'fd00::/8'] } },
    play: async (stage) => {
      await stage.add('web', '10.244.1.10 fd00:10:244:1::10');
      stage.expect('exceptions', exceptions(stage), [['10.0.0.0/8'], ['fd00::/8']]);
    },
    left: 'network l2bridge; pod web 10.244.1.10 fd00:10:244:1::10',
  },
  {
    report: 'microsoft/hcsshim#1059',
    says: 'HNS refuses an ACL with the address Any, and with any ACL blocks what no ACL allows.',
    config: { ...l2bridge, acls: [{ action: 'Allow', direction: 'In', remoteAddresses: ['Any'] }] },
    play: async ({ add, cli }) => {
      await add('web', '7: …/defaultAction is missing …; HNS would block it');
      await add('web', '7: …/acls/0/remoteAddresses/0 is "Any", expected …', { defaultAction: 'Allow' });
      await cli('config check net.conf', 1, '/defaultAction is missing');
    },
    left: 'of web: namespace',
  },
  {
    report: 'projectcalico/cni-plugin#1067',
    says: 'Policies have members that HNS does not know.',
    hns: { switches: { unknownSettings: 'refused' } },
    config: { ...l2bridge, defaultAction: 'Allow', loopbackDSR: true, mtu: 1450 },
    play: ({ add }) => add('web', '10.244.1.10'),
    left: 'network l2bridge; pod web 10.244.1.10',
  },
  {
    report: 'Azure/AKS#1367',
    says: 'HNS shows EncapOverhead, which sets the MTU, in another place than the other policies.',
    hns: { switches: { policiesWrittenBack: 'merged' } },
    config: { ...l2bridge, mtu: 1450 },
    play: ({ add }) => add('web', '10.244.1.10'),
    left: 'network l2bridge; pod web 10.244.1.10',
  },
  {
    report: 'projectcalico/calico#12795',
    says: 'Users read state 3 of new endpoints as "not attached".',
    config: withHostEndpoint,
    play: async ({ add, hns, pod, cli }) => {
      await add('web', '10.244.1.10');
      hns.attachContainer(pod('web').netns, 'app');
      await cli('ls endpoints', 0, '10.244.1.10', 'AttachedSharing');
      await cli('explain state 3', 0, 'AttachedSharing', 'the usual state of a pod');
      await cli('doctor', 0, 'PASS     endpoint health');
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2',
  },
  {
    report: 'docker/for-win#2213',
    says: 'A published port that a process of the node uses is "the file is used by another process", 0x80070020.',
    config: { ...nat, runtimeConfig: { portMappings } },
    play: async ({ add, refuse, cli }) => {
      await refuse('HcnCreateEndpoint', 'ERROR_SHARING_VIOLATION');
      await add('web', '100: …(0x80070020)…Run win-hcn show port 80…');
      await cli('explain 0x80070020', 0, 'port');
    },
    left: 'network nat; of web: namespace',
  },
  {
    report: 'microsoft/hcsshim#2590',
    says: 'HNS accepts a port mapping for IPv6, and does not translate the port.',
    config: { ...dualStack, runtimeConfig: { portMappings } },
    play: async (stage) => {
      await stage.add('web', '10.244.1.10 fd00:10:244:1::10');
      const flags = settings(stage, 'PortMapping').map(({ Flags }) => Flags);
      stage.expect('flags of port mappings', flags, [1, 3]);
    },
    left: 'network l2bridge; pod web 10.244.1.10 fd00:10:244:1::10',
  },
];
