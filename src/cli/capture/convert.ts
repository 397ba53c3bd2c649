import { errorMessage } from '../../cni/error.ts';
import { convertToPcapng, convertToText } from './commands.ts';
import { type CaptureLog, parseLog } from './parse-log.ts';
import { type CapturePort, tryCommand } from './pktmon.ts';

export interface Converted {
  /** Undefined if pktmon could not convert it to text. */
  readonly log: CaptureLog | undefined;
  /** What failed, sentences. */
  readonly lacks: readonly string[];
  /** Whether everything succeeded. */
  readonly isComplete: boolean;
}

/**
 * Reads a log of pktmon, writes the packets to a file if one is given, and removes the log. If the packets cannot be written, the log is
 * kept until the next capture, because it can be converted elsewhere.
 */
export async function convert(
  log: string,
  file: string | undefined,
  replace: boolean,
  port: CapturePort,
): Promise<Converted> {
  const text = log.replace(/\.etl$/i, '.txt');
  const converted = await tryCommand(convertToText(log, text), port);
  const read = 'lacks' in converted ? undefined : port.readText(text);
  const written = file === undefined ? undefined : await writePackets(log, file, replace, port);
  const lacks = [
    ...('lacks' in converted ? [converted.lacks] : []),
    ...(read === undefined && !('lacks' in converted) ? [`cannot read ${text}, which pktmon wrote`] : []),
    ...(read?.isCut === true ? ['the capture is too large: only its last part was read'] : []),
    ...(written === undefined ? [] : [`${written}; the log is kept until the next capture: ${log}`]),
    ...remove(written === undefined ? [text, log] : [text], port),
  ];
  return {
    log: read && parseLog(read.text),
    lacks,
    isComplete: lacks.length === 0,
  };
}

/**
 * Returns why the packets could not be written; undefined if they were. They are converted first: only then an old file is removed, and a
 * file that another program has created meanwhile is not replaced.
 */
async function writePackets(
  log: string,
  file: string,
  replace: boolean,
  port: CapturePort,
): Promise<string | undefined> {
  const packets = log.replace(/\.etl$/i, '.pcapng');
  const result = await tryCommand(convertToPcapng(log, packets), port);
  const problems =
    'lacks' in result
      ? [result.lacks]
      : attempt(() => {
          if (replace) port.removeFile(file);
          port.createCopy(file, packets);
        });
  return [...problems, ...remove([packets], port)][0];
}

function remove(files: readonly string[], port: CapturePort): readonly string[] {
  return files.flatMap((file) => attempt(() => port.removeFile(file)));
}

/** Returns why something failed; empty if it did not. */
function attempt(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [errorMessage(error)];
  }
}
