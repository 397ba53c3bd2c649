// Faults of the conflist, containerd's folders and host-local's leases.

import type { ExamFault } from './exam.ts';
import { confFolder, conflistPath, containerOf, type FaultyNode, storeFolder } from './faulty-node.ts';

const toml = 'C:\\Program Files\\containerd\\config.toml';
const exe = 'C:\\opt\\cni\\bin\\win-hcn.exe';

function editText(node: FaultyNode, path: string, edit: (text: string) => string): void {
  node.files[path] = edit(node.files[path] ?? '');
}

export const examOfConfiguration = {
  'UTF-16': {
    story: 'Out-File of Windows PowerShell wrote the conflist in UTF-16, which containerd cannot read.',
    plant: ({ files }) =>
      void Object.assign(files, {
        [conflistPath]: Buffer.from(`\ufeff${files[conflistPath]}`, 'utf16le'),
      }),
    words: [/active conf/, /UTF-16/],
    stops: true,
  },
  'range with the gateway': {
    story: "host-local's range begins at .2, the host endpoint's address.",
    plant: (node) =>
      node.configure((plugin) => ({
        ...plugin,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: '10.244.1.0/24', rangeStart: '10.244.1.2', rangeEnd: '10.244.1.29' }]],
        },
      })),
    words: [/range/i, /\b10\.244\.1\.2\b/],
    stops: false,
  },
  'chained plugin': {
    story: 'Somebody added portmap from a guide for Linux; bin_dir has no portmap.exe, so each ADD fails.',
    plant: (node) =>
      editText(node, conflistPath, (text) => {
        const list = JSON.parse(text);
        list.plugins.push({ type: 'portmap', capabilities: { portMappings: true } });
        return JSON.stringify(list, undefined, 2);
      }),
    words: [/portmap/, /C:\\opt\\cni\\bin/],
    stops: true,
  },
  'configuration of containerd elsewhere': {
    story: "containerd's service has --config D:\\containerd\\config.toml, whose conf_dir has no file.",
    plant: (node) => {
      const service =
        '"C:\\Program Files\\containerd\\containerd.exe" --config D:\\containerd\\config.toml --run-service';
      node.report('containerd', { services: [service], processes: [service] });
      node.files['D:\\containerd\\config.toml'] = (node.files[toml] ?? '').replace(
        'C:\\etc\\cni\\net.d',
        'D:\\cni\\conf',
      );
    },
    words: ['D:\\cni\\conf'],
    stops: true,
  },
  'second configuration': {
    story: 'containerd loads all files (max_conf_num = 0): the second one names nat, which is not installed.',
    plant: (node) => {
      editText(node, toml, (text) => `${text}  max_conf_num = 0\n`);
      node.files[`${confFolder}\\20-nat.conf`] = JSON.stringify({
        cniVersion: '1.0.0',
        name: 'nat',
        type: 'nat',
        ipam: { subnet: '172.28.0.0/16' },
      });
    },
    words: ['20-nat.conf'],
    stops: true,
  },
  'owner of the executable': {
    story: 'A user copied win-hcn.exe and still owns it, so the user can change its access rules.',
    plant: (node) => {
      const { files = [] } = Object(node.scripts.files);
      const user = 'S-1-5-21-3623811015-3361044348-30300820-1013';
      const owned = (file: { path: string }) => (file.path === exe ? { ...file, owner: user } : file);
      node.report('files', { files: files.map(owned) });
    },
    words: [exe, /S-1-5-21-3623811015-3361044348-30300820-1013/],
    stops: false,
  },
  'missing lease': {
    story: "The lease of shop/web's address was deleted by hand: host-local will assign it again.",
    plant: ({ files }) => {
      delete files[`${storeFolder}\\10.244.1.10`];
    },
    words: [/\b10\.244\.1\.10\b/, /lease|reserv|host-local/i],
    stops: false,
  },
  'lease of another pod': {
    story: "After a restore from a backup the lease of shop/web's address names the container of shop/api.",
    plant: ({ files }) => {
      files[`${storeFolder}\\10.244.1.10`] = `${containerOf('shop/api')}\r\neth0`;
    },
    words: [/\b10\.244\.1\.10\b/, /lease|reserv|host-local/i],
    stops: false,
  },
} satisfies Record<string, ExamFault>;
