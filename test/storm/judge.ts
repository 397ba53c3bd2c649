import type { Response, StormRequest } from './request.ts';
import { ipamCodes } from './storm-ipam.ts';

/** What can fail around a request. In `calm`, only success is right. */
export interface Weather {
  readonly calm: boolean;
  /** The IPAM plugin fails. */
  readonly ipam: boolean;
  /** The version of the configuration lacks the command. */
  readonly isTooOld: boolean;
}

const alreadyAttached = 101;
/** Expected codes while faults happen: unknown container, invalid configuration, try again, not available, refused, different. */
const usual = [3, 7, 11, 50, 51, 100, alreadyAttached, 102];
const ofIpam = [6, 103, ipamCodes.refuses];

/** Returns the problems of a response that the weather does not explain. */
export function judge(request: StormRequest, response: Response, weather: Weather): readonly string[] {
  const { transport } = request;
  if (response.exitCode === undefined) return ['did not end in time'];
  if (response.exitCode === null) return transport.kind === 'killed' ? [] : ['was ended by a signal'];
  const version = String(request.config['cniVersion']);
  return [
    ...(response.stderr === '' ? [] : [`stderr: ${response.stderr}`]),
    ...outputProblems(request, response, version, weather),
  ];
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
  const ofVersion =
    document.cniVersion === version ? [] : [`cniVersion is ${document.cniVersion}, not ${version}`];
  if (exitCode === 0) return ofVersion;
  return [
    ...ofVersion,
    ...codeProblems(document, weather),
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
  { calm, ipam, isTooOld }: Weather,
): readonly string[] {
  const known = [...(calm ? [] : usual), ...(ipam ? ofIpam : []), ...(isTooOld ? [1] : [])];
  return known.includes(code) ? [] : [`returned ${code}: ${msg}`];
}

/** Returns stack traces, JavaScript errors and missing values in a text: only a bug of win-hcn prints them. */
export function textProblems(text: string): readonly string[] {
  const found =
    /\n\s+at .+:\d+:\d+|\b(Type|Range|Syntax|Reference)Error\b|\[object |\bundefined\b|\bNaN\b/.exec(text);
  return found === null ? [] : [`printed ${JSON.stringify(found[0])} in: ${text.slice(0, 400)}`];
}
