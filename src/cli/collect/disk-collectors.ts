import { win32 } from 'node:path';
import { readLogFile } from '../../config/essential-keys.ts';
import { normalizeConfig } from '../../config/open-config.ts';
import { isObject } from '../../json/members.ts';
import { readConfigFile } from '../config-file.ts';
import { confNames } from '../doctor/runtime/conf-files.ts';
import { readContainerd } from '../doctor/runtime/containerd.ts';
import { defaultFolders } from '../doctor/runtime/containerd-config.ts';
import { joinPath } from '../doctor/windows-path.ts';
import { pluginsIn } from '../plugin-list.ts';
import type { Session } from '../session.ts';
import { isMissingFile } from '../terminal.ts';
import { type BundleFile, type Collector, reasonOf, textFile } from './collector.ts';
import { copyOf, namesIn } from './disk.ts';

/** The folder that most installers put configurations into, whatever containerd's own is. */
const usualFolder = 'C:\\etc\\cni\\net.d';

/** Files of the node: containerd's configuration, CNI's, and the logs that those say win-hcn writes. */
export function diskCollectors({ system, terminal }: Session): readonly Collector[] {
  let folders: readonly string[] = [defaultFolders.confDir, usualFolder];
  let logFiles = [system.logFile];
  return [
    {
      name: 'containerd',
      about: "containerd's configuration",
      seconds: 30,
      collect: async () => {
        const { path, folders: named } = await readContainerd(terminal);
        folders = different([named.confDir, ...folders]);
        try {
          return { files: [copyOf(path, terminal)] };
        } catch (error) {
          if (isMissingFile(error)) return { files: [], absent: `there is no ${path}` };
          throw error;
        }
      },
    },
    {
      name: 'CNI configurations',
      about:
        'the configurations in the folders for them, and the names of all files there: any other may be a kubeconfig',
      seconds: 30,
      collect: async () => {
        const listed = folders.flatMap((folder) => {
          const names = namesIn(folder, terminal);
          return names === undefined ? [] : [{ folder, names }];
        });
        if (listed.length === 0) return { files: [], problems: [`there is none of ${folders.join(', ')}`] };
        const lines = listed.flatMap(({ folder, names }) => [folder, ...names.map((name) => `  ${name}`)]);
        const paths = listed.flatMap(({ folder, names }) =>
          confNames(names).map((name) => joinPath(folder, name)),
        );
        const { files, problems } = each(paths, (path) => copyOf(path, terminal));
        logFiles = [...logFiles, ...files.flatMap((file) => logFilesIn(file, system.executable))];
        return { files: [textFile('cni-folders.txt', lines.join('\n')), ...files], problems };
      },
    },
    {
      name: 'logs',
      about: "win-hcn's log, and those that were put aside when they were full",
      seconds: 30,
      collect: async () => {
        const named = different(logFiles).filter((path) => path !== '');
        const paths = named.flatMap((path) => {
          const { dir, name, ext } = win32.parse(path);
          const isOurs = (other: string) =>
            other.startsWith(name) &&
            /^(-\d{8}T\d{9}Z)?$/.test(other.slice(name.length, -ext.length || undefined));
          const names = namesIn(dir, terminal) ?? [];
          return names
            .filter((other) => other.endsWith(ext) && isOurs(other))
            .map((one) => joinPath(dir, one));
        });
        const { files, problems } = each(paths, (path) => ({ ...copyOf(path, terminal), newestLast: true }));
        if (paths.length > 0) return { files, problems };
        return { files, absent: `there is no ${named.join(', ') || 'log here'}` };
      },
    },
  ];
}

/** Each path once, in whatever case, with whatever slashes. */
function different(paths: readonly string[]): readonly string[] {
  const plain = paths.map((path) => win32.normalize(path).toLowerCase());
  return paths.filter((_, index) => plain.indexOf(plain[index] ?? '') === index);
}

/** Where the configurations of a file have win-hcn write its log, where they say so. */
function logFilesIn({ bytes }: BundleFile, executable: string): readonly string[] {
  const { value } = readConfigFile(bytes);
  const plugins = isObject(value) ? pluginsIn(value, executable).filter(({ ours }) => ours) : [];
  return plugins.flatMap(({ config }) => readLogFile(normalizeConfig(config)) ?? []);
}

function each(paths: readonly string[], read: (path: string) => BundleFile) {
  const files: BundleFile[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      files.push(read(path));
    } catch (error) {
      problems.push(reasonOf(error));
    }
  }
  return { files, problems };
}
