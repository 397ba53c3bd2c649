import { type JsonObject, parseObject } from '../../../json/members.ts';
import { type PodRecord, podName } from './pod-name.ts';

/** Longer lines are not those of requests, and take seconds to parse. */
const longestLine = 64 * 1024;

/**
 * Returns the pods in a log of win-hcn, from the ADDs that did not fail, in the order of the log. An ADD without a result counts: a
 * killed request leaves its endpoint. Skips lines that are not log entries.
 */
export function loggedPods(log: string): readonly PodRecord[] {
  const added = new Map<unknown, PodRecord>();
  for (const line of log.split('\n')) {
    if (line.length > longestLine) continue;
    // Most lines are calls and results without error: parsing only the others makes this several times as fast.
    const isRequest = line.includes('"command":"ADD"') && line.includes('"pod":');
    if (!isRequest && (!line.includes('"event":"answer"') || /"code":0[,}]/.test(line))) continue;
    const entry = parseObject(line);
    const pod = isRequest ? readAdd(entry) : undefined;
    if (pod !== undefined) added.set(entry['request'], pod);
    else if (entry['event'] === 'answer' && entry['code'] !== 0) added.delete(entry['request']);
  }
  return [...added.values()];
}

function readAdd({ event, command, time, containerId, pod }: JsonObject): PodRecord | undefined {
  if (event !== 'request' || command !== 'ADD' || typeof time !== 'string') return undefined;
  if (typeof containerId !== 'string' || typeof pod !== 'string') return undefined;
  const [, namespace = '', given = ''] = /^([^/]*)\/(.*)$/s.exec(pod) ?? [];
  const name = podName(namespace, given);
  return name === undefined ? undefined : { container: containerId.toLowerCase(), name, added: time };
}
