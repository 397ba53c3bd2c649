import { win32 } from 'node:path';
import { decodeText, isObject } from '../../cni/text.ts';
import { foldConfig, readLogFile } from '../../config/plugin-members.ts';
import { readConfigFile } from '../config-file.ts';
import { pluginsIn } from '../plugin-list.ts';
import type { Session } from '../session.ts';
import { type BundleFile, type Collector, reasonOf, textFile } from './collector.ts';
import { confFoldersIn, findContainerdConfig } from './containerd.ts';
import { copyOf, isMissing, namesIn } from './disk.ts';

/** What runtimes take for a configuration. Anything else in their folder may be a kubeconfig. */
const isConf = (name: string): boolean => /\.(conf|conflist|json)$/i.test(name);

/** Files of the node: containerd's configuration, CNI's, and the logs that those say win-hcn writes. */
export function diskCollectors({ system, terminal }: Session): readonly Collector[] {
  let containerd: BundleFile | undefined;
  let logFiles = [system.logFile];
  return [
    {
      name: 'containerd',
      about: "containerd's configuration",
      seconds: 30,
      collect: async () => {
        const path = await findContainerdConfig(terminal);
        try {
          containerd = copyOf(path, terminal);
          return { files: [containerd] };
        } catch (error) {
          if (isMissing(error)) return { files: [], absent: `there is no ${path}` };
          throw error;
        }
      },
    },
    {
      name: 'CNI configurations',
      about: 'the files of the folders that CNI configurations are in, and the names of all that is in them',
      seconds: 30,
      collect: async () => {
        const folders = confFoldersIn(containerd && decodeText(containerd.bytes));
        const listed = folders.flatMap((folder) => {
          const names = namesIn(folder, terminal);
          return names === undefined ? [] : [{ folder, names }];
        });
        if (listed.length === 0) return { files: [], problems: [`there is none of ${folders.join(', ')}`] };
        const lines = listed.flatMap(({ folder, names }) => [folder, ...names.map((name) => `  ${name}`)]);
        const paths = listed.flatMap(({ folder, names }) =>
          names.filter(isConf).map((name) => win32.join(folder, name)),
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
        const named = [...new Set(logFiles)].filter((path) => path !== '');
        const paths = named.flatMap((path) => {
          const { dir, name, ext } = win32.parse(path);
          const isOurs = (other: string) =>
            other.startsWith(name) &&
            /^(-\d{8}T\d{9}Z)?$/.test(other.slice(name.length, -ext.length || undefined));
          const names = namesIn(dir, terminal) ?? [];
          return names
            .filter((other) => other.endsWith(ext) && isOurs(other))
            .map((one) => win32.join(dir, one));
        });
        const { files, problems } = each(paths, (path) => ({ ...copyOf(path, terminal), newestLast: true }));
        if (paths.length > 0) return { files, problems };
        return { files, absent: `there is no ${named.join(', ') || 'log here'}` };
      },
    },
  ];
}

/** Where the configurations of a file have win-hcn write its log, where they say so. */
function logFilesIn({ bytes }: BundleFile, executable: string): readonly string[] {
  const { value } = readConfigFile(bytes);
  const plugins = isObject(value) ? pluginsIn(value, executable).filter(({ ours }) => ours) : [];
  return plugins.flatMap(({ config }) => readLogFile(foldConfig(config)) ?? []);
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
