import { parseAddress } from '../../net/address.ts';
import { parseMac } from '../../net/mac.ts';
import { parsePrefix } from '../../net/prefix.ts';

/** Longer values are not names, paths or addresses. */
const longest = 260;

/** Numbers, also with a unit; ranges; durations; versions; GUIDs. */
const simple: readonly RegExp[] = [
  /^(?:true|false|null|none|yes|no|on|off)$/i,
  /^-?\d{1,10}(?:\.\d{1,6})?(?:[KMG]i?B?|%)?$/i,
  /^\d{1,5}-\d{1,5}$/,
  /^(?:\d{1,6}(?:\.\d{1,6})?(?:ns|us|ms|s|m|h)){1,4}$/,
  /^v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][a-z0-9.]{1,20})?$/i,
  /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i,
  /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,20}Z?)?$/,
];

/** Names of adapters, plugins, networks. */
const words = /^[\p{L}\p{N}_][\p{L}\p{N} ._()#-]{0,79}$/u;
const path = /^(?:(?:\\\\\?\\)?[A-Z]:|%[A-Z]{1,40}%)?[\\/][\p{L}\p{N}\\/ ._()%~*-]{0,240}$/iu;
const image =
  /^[a-z0-9][a-z0-9.-]{0,80}(?::\d{1,5})?(?:\/[a-z0-9._-]{1,60}){1,6}(?::[\w.-]{1,40})?(?:@sha256:[0-9a-f]{64})?$/i;
const url = /^[a-z]{2,10}:\/\/(?:[\w.-]{1,80}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?:\/[\w.-]{0,60}){0,8}$/i;

/** Whether a value cannot be a secret whatever its name: an address, a number, a boolean, a version, a GUID. */
export function isSimple(value: string): boolean {
  return value.length <= longest && (simple.some((form) => form.test(value)) || isAddress(value));
}

/** Whether a value is harmless under a known key: also a name, a path, an image or a URL without users and parameters. */
export function isHarmless(value: string): boolean {
  if (value === '' || isSimple(value)) return true;
  if (value.length > longest) return false;
  if (value.includes(',')) return value.split(',').every((part) => isHarmless(part.trim()));
  return [words, path, image, url].some((form) => form.test(value)) && !looksRandom(value);
}

/** A program or another file, also without its folder. `/a` and `\\a` are options or other text rather than paths. */
export function isPath(value: string): boolean {
  const isFile = path.test(value) && !/^[\\/][^\\/]*$/.test(value);
  return value.length <= longest && (isFile || /^[\w-]{1,60}\.exe$/i.test(value)) && !looksRandom(value);
}

/** Whether a value has the form of a setting: an address, a number, a boolean, a version, a GUID or a path. */
export function isSetting(value: string): boolean {
  return isSimple(value) || isPath(value);
}

/** Whether a text has a run of letters and digits as long as those of keys and tokens. */
export function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).some(
    (run) => run.length >= 16 && /\d/.test(run) && /[A-Za-z]/.test(run),
  );
}

/** An address, also with a length or a port; a MAC address; a range of addresses. */
export function isAddress(value: string): boolean {
  const [, host = value] = /^\[?([^\]]{2,45}?)\]?:\d{1,5}$/.exec(value) ?? [];
  const [from = '', to = from, ...more] = value.split('-');
  const isRange = more.length === 0 && parseAddress(from) !== undefined && parseAddress(to) !== undefined;
  return (
    isRange ||
    parseAddress(host) !== undefined ||
    parsePrefix(value) !== undefined ||
    parseMac(value) !== undefined
  );
}

/** Replaces a value that is not known to be harmless. */
export function omittedMark(value: string): string {
  return `<omitted: ${kindOf(value)} of ${value.length} ${value.length === 1 ? 'character' : 'characters'}>`;
}

function kindOf(value: string): string {
  if (/^-?\d+$/.test(value)) return 'number';
  if (/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value)) return 'URL';
  if (/^[[{]/.test(value)) return 'JSON';
  return 'text';
}
