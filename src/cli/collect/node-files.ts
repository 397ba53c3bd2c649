import { decodeText } from '../../cni/text.ts';
import { parseJson, parseObject } from '../../json/members.ts';
import { confNames, findLogs } from '../conflist/files.ts';
import type { Snapshot } from '../doctor/snapshot.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileName, joinPath } from '../terminal/windows-path.ts';
import type { Cleaner } from './allow-list.ts';
import { type Collected, collectEach, jsonFile } from './part.ts';

/** The configurations in the runtime's folder. Files with other names may be kubeconfigs. */
export async function collectConfigurations(
  { containerd: { folders } }: Snapshot,
  { listFolder, readFile }: Terminal,
  { clean }: Cleaner,
): Promise<Collected> {
  return collectEach(confNames(listFolder(folders.confDir)), (name) => {
    const path = joinPath(folders.confDir, name);
    return jsonFile(`cni/${name}`, clean(parseConfig(path, readFile(path))));
  });
}

/** Throws an error that does not quote the file. */
function parseConfig(path: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeText(bytes));
  } catch {
    throw new Error(`${path} is not JSON: see doctor.txt`);
  }
}

/** The log of win-hcn and the rotated ones. */
export async function collectLogs(
  { log: { path: current } }: Snapshot,
  terminal: Terminal,
  { clean }: Cleaner,
): Promise<Collected> {
  return collectEach(current === '' ? [] : findLogs(current, terminal), (path) => ({
    path: `logs/${fileName(path)}`,
    text: readLog(path, terminal, clean),
  }));
}

/** The end of a log that is collected. A log whose rotation fails can be much larger. */
const maxLogBytes = 8 * 1024 * 1024;

/** The texts of win-hcn in its log, which quote no value of stdin or the environment. */
const texts: readonly string[] = ['msg', 'details', 'error', 'errorRecord', 'stack', 'text'];
const events: readonly unknown[] = ['request', 'configuration', 'call', 'run', 'notice', 'answer'];

/** The records of a log without documents' secrets. A configuration can name any file as the log: other lines are left out. */
function readLog(path: string, { readFile, readEnd }: Terminal, clean: Cleaner['clean']): string {
  const bytes = readEnd(path, maxLogBytes)?.bytes ?? readFile(path);
  const records = decodeText(bytes).split('\n').map(parseObject);
  return records
    .filter(({ request, event }) => typeof request === 'string' && events.includes(event))
    .map(({ document, ...record }) => {
      const cleaned = Object.entries(record).map(([name, value]) =>
        texts.includes(name) ? { [name]: value } : clean({ [name]: value }),
      );
      const sent = typeof document === 'string' && clean({ document: parseObject(document) });
      return JSON.stringify(Object.assign({}, ...cleaned, sent));
    })
    .join('\n');
}
