import { l2bridge, nat } from './configurations.ts';
import type { Scenario } from './scenario.ts';

const twoPods = 'network l2bridge; pod one 10.244.1.10; pod two 10.244.1.11';

/** Reports on restarts of HNS and of the node, and on calls that hang or fail meanwhile. */
export const restarts: readonly Scenario[] = [
  {
    report: 'microsoft/hcsshim#922',
    says: 'HNS forgets networks and endpoints when the node restarts.',
    hns: { switches: { afterReboot: 'lost' } },
    play: async ({ add, del, event, hns }) => {
      await add('one', '10.244.1.10');
      await add('two', '10.244.1.11');
      await event('the node restarts', hns.reboot);
      await del('one', 'ok');
      await add('next', '10.244.1.10');
    },
    left: 'network l2bridge; of two: lease 10.244.1.11; pod next 10.244.1.10',
  },
  {
    report: 'Azure/azure-container-networking#4355',
    says: 'Networks outlive a restart of the node and pile up, so azure-vnet creates non-persistent ones.',
    config: { ...l2bridge, networkFlags: ['EnableNonPersistent'] },
    play: async ({ add, del, event, hns }) => {
      await add('one', '10.244.1.10');
      await event('the node restarts', hns.reboot);
      await del('one', 'ok');
      await add('next', '10.244.1.10');
    },
    left: 'network l2bridge; pod next 10.244.1.10',
  },
  {
    report: 'Azure/azure-container-networking#287',
    says: 'After a restart of the node, the deletion of former pods fails again and again.',
    play: async ({ add, del, gc, event, hns }) => {
      await add('one', '10.244.1.10');
      await add('two', '10.244.1.11');
      await event('the node restarts', hns.reboot);
      await del('one', 'ok');
      await gc([], 'ok');
    },
    left: 'network l2bridge; of two: namespace',
  },
  {
    report: 'moby/moby#38358',
    says: 'Windows Server 2019 drops NAT networks when it restarts.',
    hns: { profile: 'ws2019' },
    config: nat,
    play: async ({ add, del, event, hns, cli }) => {
      await add('one', '172.28.0.2');
      await event('the node restarts', hns.reboot);
      await cli('doctor', 0, 'network', '"nat" does not exist');
      await del('one', 'ok');
      await add('next', '172.28.0.2');
    },
    left: 'network nat; pod next 172.28.0.2',
  },
  {
    report: 'docker/for-win#13965',
    says: 'After a restart for updates, the endpoint of a former container has its address, and HNS refuses the next one.',
    play: async ({ add, pod, event, hns, hcn, ipam, cli }) => {
      await add('one', '10.244.1.10');
      await event('the node restarts', hns.reboot);
      await event('the records of one are gone', () => {
        ipam.run({ CNI_COMMAND: 'DEL', CNI_CONTAINERID: 'one', CNI_IFNAME: 'eth0' }, '');
        return hcn.deleteNamespace(pod('one').netns);
      });
      await cli('gc', 1, 'default/one …in no namespace  deleted');
      await add('two', '10.244.1.10');
    },
    left: 'network l2bridge; pod two 10.244.1.10',
  },
  {
    report: 'projectcalico/calico#5164',
    says: 'A restart of HNS on Windows Server 2022 deletes the endpoints of running pods, and nothing recreates them.',
    hns: { switches: { objectsAfterRestart: 'lost in part' } },
    play: async ({ add, check, del, event, hns, cli }) => {
      await add('one', '10.244.1.10');
      await add('two', '10.244.1.11');
      await event('HNS restarts', hns.restart);
      await check('one', '102: …endpoint…');
      await cli('doctor', 1, 'FAIL     running pods', '2 ', 'without an endpoint');
      await del('one', 'ok');
      await add('new', '10.244.1.10');
    },
    left: 'network l2bridge; of two: namespace, lease 10.244.1.11; pod new 10.244.1.10',
  },
  {
    report: 'kubernetes/kubernetes#109162',
    says: 'HNS needs half a minute for each load balancer while kube-proxy starts.',
    play: async ({ add, status, event, hns, cli }) => {
      await add('one', '10.244.1.10');
      await event('HNS is busy', () => hns.inject({ ordinal: 'every', effect: { hang: true } }));
      await status('ok');
      await add('two', '11: …');
      await cli('doctor', 3, 'FAIL     HCN', 'did not respond within 10 s');
      await event('kube-proxy is done', () => {
        hns.clearFaults();
        hns.release();
      });
      await add('two', '10.244.1.11');
    },
    left: twoPods,
  },
  {
    report: 'Azure/azure-container-networking#774',
    says: 'A deletion hangs or finds no namespace, and leaves its endpoint for ever.',
    hns: { switches: { attachedEndpointDeletion: 'hangs' } },
    play: async ({ add, del, hns, hcn, pod, event }) => {
      await add('one', '10.244.1.10');
      await add('two', '10.244.1.11');
      await event('one ends, and its namespace is deleted', () => {
        hns.detachContainer(pod('one').netns, 'one');
        return hcn.deleteNamespace(pod('one').netns);
      });
      await del('one', 'ok');
      await del('two', 'ok');
    },
    left: 'network l2bridge',
  },
  {
    report: 'moby/moby#40699',
    says: 'Deleting the endpoint of a container hangs, and all later calls with it.',
    hns: { switches: { attachedEndpointDeletion: 'hangs' } },
    seeds: 3,
    play: async ({ add, del, random }) => {
      await add('one', '10.244.1.10');
      await add('two', '10.244.1.11');
      const order = random.chance(0.5) ? ['one', 'two'] : ['two', 'one'];
      await Promise.all(order.map((name) => del(name, 'ok')));
    },
    left: 'network l2bridge',
  },
];
