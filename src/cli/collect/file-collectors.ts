import { win32 } from 'node:path';
import { decodeText } from '../../cni/text.ts';
import { parseJson, parseObject } from '../../json/members.ts';
import { commonConfDir, confNames, findLogs, logFilesIn } from '../conflist/files.ts';
import { defaultFolders } from '../containerd/config.ts';
import { readContainerd } from '../containerd/read-containerd.ts';
import { listFolderIfExists } from '../terminal/files.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { joinPath, uniquePaths } from '../terminal/windows-path.ts';
import type { Cleaner } from './allow-list.ts';
import { type Collector, collectEach, jsonFile } from './collector.ts';

const seconds = 30;

/** Files of the node: the configurations of containerd and CNI, and win-hcn's logs. */
export function fileCollectors({ system, terminal }: Session, { clean }: Cleaner): readonly Collector[] {
  let folders: readonly string[] = [defaultFolders.confDir, commonConfDir];
  let logFiles = [system.logFile];
  return [
    {
      name: 'containerd',
      about: "what win-hcn reads of containerd's configuration",
      seconds,
      collect: async () => {
        const { path, config, isConfigMissing } = await readContainerd(terminal);
        if ('value' in config) folders = uniquePaths([config.value.folders.confDir, ...folders]);
        if (isConfigMissing) return { files: [], absent: `${path} not found` };
        return { files: [jsonFile('containerd.json', { path, ...config })] };
      },
    },
    {
      name: 'CNI configurations',
      about: 'CNI configurations, and the names of all files in their folders; others may be kubeconfigs',
      seconds,
      collect: async () => {
        const listed = folders.flatMap((folder) => {
          const names = listFolderIfExists(folder, terminal);
          return names === undefined ? [] : [{ folder, names }];
        });
        if (listed.length === 0) return { files: [], problems: [`${folders.join(', ')} not found`] };
        const lines = listed.flatMap(({ folder, names }) => [folder, ...names.map((name) => `  ${name}`)]);
        const paths = listed.flatMap(({ folder, names }) =>
          confNames(names).map((name) => joinPath(folder, name)),
        );
        const { files, problems } = await collectEach(paths, (path) => {
          const bytes = terminal.readFile(path);
          logFiles = [...logFiles, ...logFilesIn(bytes, system.executable)];
          return jsonFile(bundlePath(path), clean(parseConfig(path, bytes)));
        });
        return { files: [{ path: 'cni-folders.txt', text: lines.join('\n') }, ...files], problems };
      },
    },
    {
      name: 'logs',
      about: "win-hcn's log, current and rotated",
      seconds,
      collect: async () => {
        const current = uniquePaths(logFiles).filter((path) => path !== '');
        const paths = current.flatMap((path) => findLogs(path, terminal));
        if (paths.length === 0)
          return { files: [], absent: current.length === 0 ? 'no log' : `${current.join(', ')} not found` };
        return collectEach(paths, (path) => ({
          path: bundlePath(path),
          text: readLog(path, terminal, clean),
        }));
      },
    },
  ];
}

/** Throws an error that does not quote the file. */
function parseConfig(path: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeText(bytes));
  } catch {
    throw new Error(`${path} is not JSON: see doctor.txt`);
  }
}

/** Where a bundle has a file of the node, in a form that Windows can unpack: `files/C/etc/cni/net.d/10-win-hcn.conflist`. */
export function bundlePath(path: string): string {
  const plain = win32.normalize(path).replaceAll('\\', '/');
  return `files/${plain
    .replace(/^([A-Za-z]):/, '$1')
    .replace(/^(\.*\/)+/, '')
    .replaceAll(/[<>:"|?*]/g, '_')}`;
}

/** The end of a log that is collected. A log whose rotation fails can be much larger. */
const maxLogBytes = 8 * 1024 * 1024;

/** The texts of win-hcn in its log, which quote no value of stdin or the environment. */
const texts: readonly string[] = ['msg', 'details', 'error', 'errorRecord', 'stack', 'text'];
const events: readonly unknown[] = [
  'request',
  'configuration',
  'call',
  'run',
  'notice',
  'load balancer',
  'answer',
];

/** The records of a log without documents' secrets. A configuration can name any file as the log: other lines are left out. */
function readLog(path: string, { readFile, readEnd }: Terminal, clean: Cleaner['clean']): string {
  const bytes = readEnd(path, maxLogBytes)?.bytes ?? readFile(path);
  const records = decodeText(bytes).split('\n').map(parseObject);
  return records
    .filter(({ request, event }) => typeof request === 'string' && events.includes(event))
    .map(({ document, ...record }) => {
      const own = Object.entries(record).filter(([name]) => texts.includes(name));
      const cleaned = clean({
        ...record,
        ...(typeof document === 'string' && { document: parseObject(document) }),
      });
      return JSON.stringify(Object.assign({}, cleaned, Object.fromEntries(own)));
    })
    .join('\n');
}
