import { networkTypes } from '../../src/config/network-config.ts';
import { table } from '../markdown-table.ts';
import { code, inline, type Key, type SchemaFile } from './schema.ts';
import { typeText } from './type-text.ts';

/** The types of networks that accept a key. */
export function acceptedBy({ refusedBy }: Key): string {
  return refusedBy.length === 0
    ? 'all'
    : networkTypes.filter((networkType) => !refusedBy.includes(networkType)).join(', ');
}

/** A table of keys. It has a column of network types if one of the keys is for some types only. */
export function keyTable(file: SchemaFile, keys: readonly Key[]): readonly string[] {
  const differ = keys.some(({ refusedBy }) => refusedBy.length > 0);
  const hasExamples = keys.some(({ schema }) => schema.examples !== undefined);
  return table(
    [
      'key',
      'type',
      'default',
      ...(differ ? ['network types'] : []),
      ...(hasExamples ? ['example'] : []),
      'description',
    ],
    keys.map((key) => [
      `\`${key.name}\``,
      typeText(file, key.schema),
      defaultOf(key),
      ...(differ ? [acceptedBy(key)] : []),
      ...(hasExamples ? [(key.schema.examples ?? []).map(code).join(', ')] : []),
      key.description,
    ]),
  );
}

/** A section for a key: its description, its facts, and a table of the keys of its value. */
export function keySection(file: SchemaFile, key: Key): readonly string[] {
  const { name, schema, description, members } = key;
  const examples = (schema.examples ?? []).map((example) => `\`"${name}": ${inline(example)}\``);
  return [
    `### ${name}`,
    '',
    description,
    '',
    `- Type: ${typeText(file, schema)}`,
    ...(key.isRequired ? ['- Required'] : []),
    ...(key.default === undefined ? [] : [`- Default: ${key.default}`]),
    `- Network types: ${acceptedBy(key)}`,
    `- ${examples.length > 1 ? 'Examples' : 'Example'}: ${examples.join(', ')}`,
    '',
    ...(members.length === 0 ? [] : [...keyTable(file, members), '']),
  ];
}

function defaultOf({ isRequired, default: given = '' }: Key): string {
  return isRequired ? 'required' : given;
}
