import { win32 } from 'node:path';
import { decodeText, isJson } from '../../cni/text.ts';
import { isObject } from '../../json/members.ts';
import { confNames } from '../conflist/conf-names.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { commonConfDir, findLogs, logFilesIn } from '../conflist/log-files.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import { defaultFolders } from '../containerd/config.ts';
import { readContainerd } from '../containerd/read-containerd.ts';
import { reportLog } from '../probe/report.ts';
import { isMissingFile } from '../terminal/file-error.ts';
import { listFolderIfExists } from '../terminal/list-folder.ts';
import { maximumFileBytes } from '../terminal/read-file.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { joinPath, uniquePaths } from '../terminal/windows-path.ts';
import { type BundleFile, type Collector, collectEach, textFile } from './collector.ts';
import { redactForeign } from './redact-foreign.ts';
import { redactLog } from './redact-output.ts';
import type { Redact } from './secret-shapes.ts';

/** Files of the node: the configuration of containerd, those of CNI, and win-hcn's logs. */
export function fileCollectors({ system, terminal }: Session): readonly Collector[] {
  let folders: readonly string[] = [defaultFolders.confDir, commonConfDir];
  let logFiles = [system.logFile];
  return [
    {
      name: 'containerd',
      about: "containerd's configuration",
      seconds: 30,
      collect: async () => {
        const { path, folders: configured } = await readContainerd(terminal);
        folders = uniquePaths([configured.confDir, ...folders]);
        try {
          return { files: [{ ...copyFile(path, terminal), redact: redactToml }] };
        } catch (error) {
          if (isMissingFile(error)) return { files: [], absent: `${path} not found` };
          throw error;
        }
      },
    },
    {
      name: 'CNI configurations',
      about: 'CNI configurations, and the names of all files in their folders; others may be kubeconfigs',
      seconds: 30,
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
        const { files, problems } = await collectEach(paths, (path) =>
          withoutForeignValues(copyFile(path, terminal), system.executable),
        );
        logFiles = [...logFiles, ...files.flatMap(({ bytes }) => logFilesIn(bytes, system.executable))];
        return { files: [textFile('cni-folders.txt', lines.join('\n')), ...files], problems };
      },
    },
    {
      name: 'logs',
      about: "win-hcn's log, current and rotated",
      seconds: 30,
      collect: async () => {
        const current = uniquePaths(logFiles).filter((path) => path !== '');
        const paths = current.flatMap((path) => findLogs(path, terminal));
        if (paths.length === 0)
          return { files: [], absent: current.length === 0 ? 'no log' : `${current.join(', ')} not found` };
        return collectEach(paths, (path) => copyLog(path, terminal));
      },
    },
    {
      name: 'probe report',
      about: 'the last report of win-hcn probe',
      seconds: 30,
      collect: async () => {
        const report = lastReport(reportLog(system.logFile), terminal);
        return report === undefined
          ? { files: [], absent: 'no report' }
          : { files: [textFile('probe.json', report)] };
      },
    },
  ];
}

/** The last report of a file; undefined if it has none or is missing. Throws other errors as node:fs does. */
function lastReport(path: string | undefined, { readFile }: Terminal): string | undefined {
  try {
    return path === undefined ? undefined : decodeText(readFile(path)).split('\n').findLast(isJson);
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
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

/** Throws as node:fs does. */
function copyFile(path: string, { readFile }: Terminal): BundleFile {
  return { path: bundlePath(path), bytes: readFile(path) };
}

/** The end of a log: one whose rotation fails may be larger than a file that is read whole. Throws as node:fs does. */
function copyLog(path: string, terminal: Terminal): BundleFile {
  const end = terminal.readEnd(path, maximumFileBytes);
  return {
    ...(end === undefined ? copyFile(path, terminal) : { path: bundlePath(path), ...end }),
    newestLast: true,
    redact: redactLog,
  };
}

const redactToml: Redact = (text, learn) => redactForeign(text, 'TOML', undefined, learn);

/** A CNI configuration. Only win-hcn's parts of it keep values of any form. */
function withoutForeignValues(file: BundleFile, executable: string): BundleFile {
  const { value } = readConfigFile(file.bytes);
  const isList = isObject(value) && Array.isArray(value['plugins']);
  const ours = pluginsIn(isList ? value : { plugins: [value] }, executable).filter((plugin) => plugin.ours);
  const paths = ours.map(({ path }) => (isList ? path : ''));
  const isOurs = (pointer: string) =>
    paths.some((path) => pointer === path || pointer.startsWith(`${path}/`));
  return { ...file, redact: (text, learn) => redactForeign(text, 'JSON', isOurs, learn) };
}
