import { hresultOf } from '../../../src/hcn/hresults.ts';
import { healthy, openToUsers } from '../cli/doctor-node.ts';
import type { Fault } from './fault.ts';
import { confFolder, conflistPath } from './faulty-node.ts';

/** HNS, the files of the runtime, and what Windows knows about them. */
export const faultsOnWindows = {
  'stopped HNS': {
    story: 'Somebody stopped the Host Network Service.',
    plant: (node) => {
      node.scripts = { ...node.scripts, service: { ...Object(healthy.service), state: 'Stopped' } };
      const hresult = hresultOf('ERROR_SERVICE_NOT_ACTIVE');
      node.hns.inject({ ordinal: 'every', effect: { hresult } });
    },
    namedBy: 'doctor',
    words: ['FAIL', 'hns is stopped'],
  },
  'hanging HNS': {
    story: 'The threads of HNS wait for each other.',
    plant: (node) => {
      node.scripts = { ...node.scripts, service: { ...Object(healthy.service), threads: 213 } };
      node.hns.inject({ ordinal: 'every', effect: { hang: true } });
    },
    namedBy: 'doctor',
    words: ['WARN', '213 threads', 'deadlock'],
  },
  'folder open to users': {
    story: 'Every user can replace win-hcn.exe.',
    plant: (node) => {
      node.scripts = { ...node.scripts, files: openToUsers('C:\\opt\\cni\\bin') };
    },
    namedBy: 'doctor',
    words: ['FAIL', 'C:\\opt\\cni\\bin', 'Users'],
  },
  'forwarding off': {
    story: 'A script switched off IP forwarding.',
    plant: ({ hns }) => hns.disableForwarding(),
    namedBy: 'doctor',
    words: ['FAIL', 'forwarding', 'vEthernet (Ethernet)'],
  },
  'exhausted pool': {
    story: 'The range of host-local has no more addresses than pods.',
    plant: (node) =>
      node.configure((conf) => ({
        ...conf,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.10', rangeEnd: '10.244.1.11' }]],
        },
      })),
    namedBy: 'doctor',
    words: ['FAIL', 'no free address', '10.244.1.10', '10.244.1.11'],
  },
  'misspelt IPAM plugin': {
    story: 'The conflist has ipam.type "host-locl".',
    plant: (node) =>
      node.configure((conf) => ({ ...conf, ipam: { ...Object(conf['ipam']), type: 'host-locl' } })),
    namedBy: 'doctor',
    words: ['FAIL', 'host-locl'],
  },
  'misspelt capability': {
    story: 'The conflist has the capability "portMapping".',
    plant: (node) => node.configure((conf) => ({ ...conf, capabilities: { portMapping: true } })),
    namedBy: 'config',
    words: ['portMapping', 'did you mean "portMappings"'],
  },
  'conflist that wins': {
    story: 'An installer wrote a file that precedes the conflist.',
    plant: ({ files }) => {
      files[`${confFolder}\\05-nat.conflist`] = JSON.stringify({
        cniVersion: '1.0.0',
        name: 'nat',
        plugins: [{ type: 'nat' }],
      });
    },
    namedBy: 'doctor',
    words: ['FAIL', '05-nat.conflist', '10-win-hcn.conflist'],
  },
  'invalid JSON': {
    story: 'An editor left a comma out of the conflist.',
    plant: ({ files }) => {
      files[conflistPath] =
        files[conflistPath]?.replace('"networkType": "L2Bridge",', '"networkType": "L2Bridge"') ?? '';
    },
    namedBy: 'config',
    words: ['10-win-hcn.conflist:8:7:', 'problem', 'comma expected'],
  },
} as const satisfies Readonly<Record<string, Fault>>;
