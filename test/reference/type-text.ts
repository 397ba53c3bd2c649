import { code, type Schema, type SchemaFile } from './schema.ts';

const formats: Readonly<Record<string, string>> = {
  'ip-address': 'IP address',
  prefix: 'prefix',
};
const plurals: Readonly<Record<string, string>> = {
  'IP address': 'IP addresses',
  policy: '[policies](#policies)',
  prefix: 'prefixes',
  'port or port range': 'ports and port ranges',
  'string or object': 'strings and objects',
};

/** The type of a value in words, such as `integer, 1 to 120` or `list of prefixes`. */
export function typeText(file: SchemaFile, given: Schema): string {
  const schema = file.resolve(given);
  const { $ref, type, format, enum: values, anyOf, items, minimum, maximum = Infinity, pattern } = schema;
  // Only policies are in a file of their own.
  if ($ref !== undefined) return 'policy';
  if (values !== undefined) return `one of ${values.map(code).join(', ')}`;
  if (anyOf !== undefined) return anyOf.map((one) => typeText(file, one)).join(' or ');
  if (format !== undefined) return formats[format] ?? format;
  if (items !== undefined) return `list of ${plural(typeText(file, items))}`;
  const name = [type ?? []].flat().join(' or ');
  if (name === 'integer or string')
    return pattern?.includes('-(') || pattern?.includes('(-') ? 'port or port range' : 'port';
  if (minimum === undefined || maximum > Number.MAX_SAFE_INTEGER - 1) return name;
  return `${name}, ${minimum} to ${maximum}`;
}

function plural(type: string): string {
  const [name = '', ...range] = type.split(', ');
  if (name.startsWith('one of ')) return type.replace('one of ', '');
  return [plurals[name] ?? `${name}s`, ...range].join(', ');
}
