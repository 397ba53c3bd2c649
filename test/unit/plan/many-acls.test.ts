import { expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { extraSecondsForAcls } from '../../../src/hcn/deadline.ts';
import { endpointDocument } from '../../../src/plan/endpoint.ts';
import { endpointFailures, endpointNotices } from '../../../src/plan/endpoint-differences.ts';
import { requiredFeatures } from '../../../src/plan/features.ts';
import { resolveNetwork } from '../../../src/plan/network.ts';
import { example } from '../../e2e/example.ts';
import { shortest } from '../time-ratio.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

/** The pure work of an ADD with this many ACLs, by its parts. */
function workOf(count: number) {
  const acls = Array.from({ length: count }, (_, index) => ({
    action: 'Allow',
    direction: 'Out',
    protocols: ['TCP'],
    remoteAddresses: [`10.${index >> 8}.${index & 255}.0/24`],
    remotePorts: ['80', '443'],
    priority: 100 + index,
  }));
  const outboundNat = { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] };
  const given = example('l2bridge', { acls, defaultAction: 'Block', outboundNat, adapter: 'Ethernet' });
  const read = () => {
    const opened = openConfig(given, '/opt/cni/bin/win-hcn', '');
    return readNetworkConfig(opened.json, {}, opened);
  };
  const config = read();
  const network = resolveNetwork(config, undefined);
  const document = endpointDocument(config, attachment, network, undefined);
  const text = JSON.stringify(document);
  return {
    'reading the configuration': read,
    planning: () => [
      requiredFeatures(config, false),
      endpointDocument(config, attachment, network, undefined),
    ],
    'the time limit': () => extraSecondsForAcls({ name: 'HcnCreateEndpoint', document: text }),
    'the comparison with the created endpoint': () => [
      endpointFailures(document, document),
      endpointNotices(document, document),
    ],
  };
}

const few = workOf(100);
const many = workOf(1000);

test.each(Object.keys(few) as readonly (keyof typeof few)[])(
  '%s takes at most 40 times as long for 1,000 ACLs as for 100: it is not quadratic',
  (part) => {
    expect(shortest(many[part], 40) / shortest(few[part], 40)).toBeLessThan(40);
  },
);
