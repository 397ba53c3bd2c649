import { errorMessage } from '../../cni/error.ts';
import {
  addFilter,
  listComponents,
  readCounters,
  readStatus,
  removeFilters,
  startCapture,
  stopCapture,
} from './commands.ts';
import type { Component } from './component.ts';
import type { PacketFilter } from './filters.ts';
import { parseComponents } from './parse-components.ts';
import { type Count, parseCounters } from './parse-counters.ts';
import { parseStatus } from './parse-status.ts';
import { CaptureError, type CapturePort, runCommand, tryCommand } from './pktmon.ts';
import { captureName, filterNames, isLeftover, logNameIn, logPath, prepareCapture } from './prepare.ts';

export interface RecordRequest {
  readonly filters: readonly PacketFilter[];
  readonly seconds: number;
  /** How much of each packet to log; 0 for whole packets. */
  readonly bytes: number;
}

export interface Recorded {
  /** The path of the log, which the caller converts and removes. */
  readonly log: string;
  readonly components: readonly Component[];
  readonly counts: readonly Count[];
  /** What this build of pktmon could not do, sentences. */
  readonly lacks: readonly string[];
  /** What could not be stopped or removed, sentences. */
  readonly leftBehind: readonly string[];
}

/**
 * Records packets: adds filters, captures, and stops the capture and removes the filters whatever happens. Throws CaptureError; then no log
 * remains.
 */
export async function record(request: RecordRequest, port: CapturePort): Promise<Recorded> {
  await prepareCapture(port);
  const log = logPath(port);
  let mayRun = false;
  try {
    await addFilters(request.filters, port);
    mayRun = true;
    await runCommand(startCapture(log, request.bytes), port).catch((error: unknown) => {
      mayRun = error instanceof CaptureError && error.isUncertain;
      throw error;
    });
    await port.wait(request.seconds);
    const read = await readCapture(port);
    return { log, ...read, leftBehind: await cleanUp(log, mayRun, port) };
  } catch (error) {
    const leftBehind = [
      ...(await cleanUp(log, mayRun, port)),
      ...(await leftBy(async () => port.removeFile(log), `Remove ${log}`)),
    ];
    if (leftBehind.length === 0) throw error;
    throw new CaptureError([errorMessage(error), ...leftBehind].join('. '));
  }
}

/** Stops the capture and removes the filters. Returns the leftovers, each with what to do. Never rejects. */
async function cleanUp(log: string, mayRun: boolean, port: CapturePort): Promise<readonly string[]> {
  return [
    ...(mayRun ? await leftBy(() => stopOwn(log, port), 'Run pktmon stop') : []),
    ...(await leftBy(() => removeOwnFilters(port), 'Run pktmon filter remove')),
  ];
}

/** Adds the filters, and checks that pktmon lists them: otherwise they could not be told from those of others at the end. */
async function addFilters(filters: readonly PacketFilter[], port: CapturePort): Promise<void> {
  const name = captureName(port.processId);
  for (const filter of filters) await runCommand(addFilter(name, filter), port);
  const names = await filterNames(port);
  if (names.length !== filters.length || names.some((other) => other !== name))
    throw new CaptureError(
      `pktmon lists filters other than the ${filters.length} of this capture: ${names.join(', ') || 'none'}. ` +
        'Another capture started at the same time, or another program changed the filters: try again when it has ended',
    );
}

/** The components and counters, which pktmon returns only while it captures. */
async function readCapture(port: CapturePort): Promise<Omit<Recorded, 'log' | 'leftBehind'>> {
  const components = await tryCommand(listComponents, port, (text) => parseComponents(text) !== undefined);
  const counters = await tryCommand(readCounters, port, (text) => parseCounters(text) !== undefined);
  return {
    components: 'lacks' in components ? [] : (parseComponents(components.output) ?? []),
    counts: 'lacks' in counters ? [] : (parseCounters(counters.output) ?? []),
    lacks: [components, counters].flatMap((result) => ('lacks' in result ? [result.lacks] : [])),
  };
}

/** Stops the capture, if it is certain that the one that runs is ours. Otherwise returns it as a leftover. */
async function stopOwn(log: string, port: CapturePort): Promise<string | undefined> {
  const now = parseStatus((await runCommand(readStatus, port)).output);
  if (now.is === 'idle') return undefined;
  if (now.is === 'unknown')
    throw new CaptureError('whether the capture still runs is unknown: pktmon status printed nothing');
  if (now.log === undefined || logNameIn(now.log) !== logNameIn(log))
    return `another capture is running, which win-hcn did not stop (${now.log === undefined ? 'without a log file' : `log file ${now.log}`})`;
  await runCommand(stopCapture, port);
  return undefined;
}

/** Removes the filters, unless there are some of others: pktmon can only remove all at once. Then returns them as leftovers. */
async function removeOwnFilters(port: CapturePort): Promise<string | undefined> {
  const own = captureName(port.processId);
  const names = await filterNames(port);
  if (!names.includes(own)) return undefined;
  const others = names.filter((name) => !isLeftover(name, port));
  if (others.length > 0)
    return (
      `the filters ${own} were not removed: another program has added ${[...new Set(others)].join(', ')}, and pktmon can only remove all ` +
      'filters at once. Run pktmon filter remove when that program has ended its capture'
    );
  await runCommand(removeFilters, port);
  return undefined;
}

/** Does something, at most twice if it fails. Returns the leftovers. */
async function leftBy(work: () => Promise<unknown>, remedy: string): Promise<readonly string[]> {
  const left = await work().catch(() =>
    work().catch((error: unknown) => `${errorMessage(error)}. ${remedy}`),
  );
  return typeof left === 'string' ? [left] : [];
}
