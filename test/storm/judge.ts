import { documentProblems } from './answer-schema.ts';
import type { Response, StormRequest } from './request.ts';
import { ipamCodes } from './storm-ipam.ts';

/** What can fail around a request. In `calm`, only success is right. */
export interface Weather {
  readonly calm: boolean;
  /** The IPAM plugin fails. */
  readonly ipam: boolean;
  /** The configuration is invalid. */
  readonly invalid: boolean;
}

const ioFailure = 5;
const alreadyAttached = 101;
const internal = 999;
/** Expected codes while faults happen: unknown container, invalid configuration, try again, not available, refused, different. */
const usual = [3, 7, 11, 50, 51, 100, alreadyAttached, 102];
const ofIpam = [6, 103, ipamCodes.refuses, ipamCodes.unknown];
const ofInvalid = [1, 2, 4, 6, 7];

/** Returns the problems of a response that the weather does not explain. */
export function judge(request: StormRequest, response: Response, weather: Weather): readonly string[] {
  const { transport } = request;
  if (response.exitCode === undefined) return ['did not end in time'];
  if (response.exitCode === null) return transport.kind === 'killed' ? [] : ['was ended by a signal'];
  const version = String(request.config['cniVersion']);
  return [
    ...stderrProblems(response.stderr, request),
    ...(transport.kind === 'stdout closed' ? closedProblems(request, response) : []),
    ...outputProblems(request, response, version, weather),
  ];
}

/** A dialect lists the keys that it ignores. */
function stderrProblems(stderr: string, { config }: StormRequest): readonly string[] {
  const isDialect = config['networkType'] === undefined;
  const lines = stderr.split('\n').filter((line) => line !== '');
  const unexpected = lines.filter(
    (line) => !(isDialect && /^win-hcn: \S+ is not supported and is ignored$/.test(line)),
  );
  return unexpected.length === 0 ? [] : [`stderr: ${unexpected.join(' | ')}`];
}

/** The runtime cannot know the result of a command that has one, so that must fail. */
function closedProblems({ command }: StormRequest, { exitCode }: Response): readonly string[] {
  return command === 'ADD' && exitCode === 0 ? ['succeeded although stdout is closed'] : [];
}

function outputProblems(
  request: StormRequest,
  { exitCode, stdout }: Response,
  version: string,
  weather: Weather,
): readonly string[] {
  const { command } = request;
  if (exitCode !== 0 && exitCode !== 1) return [`ended with exit code ${exitCode}`];
  if (exitCode === 0 && command !== 'ADD') return stdout === '' ? [] : [`printed ${stdout}`];
  const document = parsed(stdout);
  if (document === undefined) return [`printed ${JSON.stringify(stdout)}, not one JSON document`];
  if (exitCode === 0) return documentProblems('result', document, version);
  // The version itself may be invalid.
  const answered = weather.invalid ? String(Object(document).cniVersion) : version;
  return [
    ...documentProblems('error', document, answered),
    ...codeProblems(document, request, weather),
    ...textProblems(`${document.msg} ${document.details ?? ''}`),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: judges whatever was printed
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeProblems(
  { code, msg }: { readonly code: number; readonly msg: string },
  { network, transport }: StormRequest,
  { calm, ipam, invalid }: Weather,
): readonly string[] {
  const isClosed = transport.kind === 'stdout closed';
  const known = [
    ...(calm && !isClosed ? [] : usual),
    ...(ipam ? ofIpam : []),
    ...(invalid ? ofInvalid : []),
    ...(isClosed ? [ioFailure] : []),
  ];
  // Debian's plugin returns the code of its library for all refusals.
  const isPlugins =
    network.addresses === 'host-local' && code === internal && !msg.startsWith('internal error');
  return known.includes(code) || (isPlugins && !calm) ? [] : [`returned ${code}: ${msg}`];
}

/** Returns stack traces, JavaScript errors and missing values in a text: only a bug of win-hcn prints them. */
export function textProblems(text: string): readonly string[] {
  const found =
    /\n\s+at .+:\d+:\d+|\b(Type|Range|Syntax|Reference)Error\b|\[object |\bundefined\b|\bNaN\b/.exec(text);
  return found === null ? [] : [`printed ${JSON.stringify(found[0])} in: ${text.slice(0, 400)}`];
}
