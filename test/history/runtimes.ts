import { nat } from './configurations.ts';
import type { Scenario } from './scenario.ts';

const nerdctl = {
  ...{ cniVersion: '1.0.0', name: 'web', type: 'nat', master: 'Ethernet' },
  ipam: { subnet: '10.4.1.0/24', routes: [{ gateway: '10.4.1.1' }] },
};

/** Reports on runtimes and builders. */
export const runtimes: readonly Scenario[] = [
  {
    report: 'containerd/nerdctl#5157',
    says: 'nerdctl run -p maps no port, because its network has no capabilities.',
    config: nerdctl,
    play: async ({ add, hns, cli, expect }) => {
      await add('web', '10.4.1.2');
      expect(
        'policies',
        hns.dump().endpoints.map(({ Policies = [] }) => Policies),
        [[]],
      );
      await cli('config check net.conf', 0, 'no capability "portMappings", so the runtime maps no ports');
    },
    left: 'network web; pod web 10.4.1.2',
  },
  {
    report: 'Azure/AgentBaker#4131',
    says: 'HNS holds the ports of a deleted pod for up to 70 s.',
    config: {
      ...nat,
      runtimeConfig: { portMappings: [{ hostPort: 80, containerPort: 80, protocol: 'tcp' }] },
    },
    play: async ({ add, del, refuse }) => {
      await add('old', '172.28.0.2');
      await del('old', 'ok');
      await refuse('HcnCreateEndpoint', 'HCN_E_PORT_ALREADY_EXISTS');
      await add('new', '100: …0x803b0013…HNS may take up to 70 s to release the port of a deleted pod…');
      await add('new', '172.28.0.2');
    },
    left: 'network nat; pod new 172.28.0.2',
  },
  {
    report: 'moby/buildkit#5668',
    says: 'Windows Server 2019 attaches an endpoint only once, so buildkit cannot use its pool of namespaces.',
    hns: { profile: 'ws2019' },
    play: async ({ add, detach }) => {
      await add('build', '10.244.1.10');
      await detach('build');
      await add('build', '10.244.1.10');
    },
    left: 'network l2bridge; pod build 10.244.1.10',
  },
  {
    report: 'moby/buildkit#4960',
    says: 'RUN has no network, because buildkit finds no configuration; it creates a namespace of type Guest.',
    config: nat,
    play: async ({ add, del, pod }) => {
      pod('build', 'Guest');
      await add('build', '172.28.0.2');
      await del('build', 'ok');
    },
    left: 'network nat',
  },
];
