import { isObject } from '../../../json/members.ts';
import { readConfigFile } from '../../config-file.ts';
import { type ListedPlugin, pluginsIn } from '../../plugin-list.ts';
import { type Validation, validateFile } from '../../validate/validate-file.ts';

/** A configuration file in the runtime's folder. */
export interface ConfFile {
  readonly path: string;
  readonly validation: Validation;
  /** Empty where the file is no configuration. */
  readonly plugins: readonly ListedPlugin[];
  /** The network's; empty where it has none. */
  readonly network: string;
}

/** The files that containerd takes for configurations, in the order in which it takes them: by bytes, capitals first. */
export function confNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(conf|conflist|json)$/.test(name)).toSorted((a, b) => (a < b ? -1 : 1));
}

export function readConfFile(path: string, bytes: Uint8Array, executable: string): ConfFile {
  const { value } = readConfigFile(bytes);
  const name = isObject(value) ? value['name'] : undefined;
  return {
    path,
    validation: validateFile(bytes, path, executable),
    plugins: isObject(value) ? pluginsIn(value, executable) : [],
    network: typeof name === 'string' ? name : '',
  };
}
