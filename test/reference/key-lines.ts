import { networkTypes } from '../../src/config/network-config.ts';
import { inline, type Key, type SchemaFile } from './schema.ts';
import { typeText } from './type-text.ts';

/** The types of networks that accept a key. */
function acceptedBy({ refusedBy }: Key): string {
  return networkTypes.filter((networkType) => !refusedBy.includes(networkType)).join(', ');
}

/** A key as an item of a list: its type, whether it is required, its default, its network types and its description. */
export function keyLine(file: SchemaFile, key: Key): string {
  return `- \`${key.name}\` (${factsOf(file, key).join('; ')}): ${key.description}`;
}

function factsOf(file: SchemaFile, key: Key): readonly string[] {
  const { schema, isRequired, default: given, refusedBy } = key;
  return [
    typeText(file, schema),
    ...(isRequired ? ['required'] : []),
    ...(given === undefined ? [] : [`default: ${given}`]),
    ...(refusedBy.length === 0 ? [] : [`${acceptedBy(key)} only`]),
  ];
}

/** A section for a key: its description, its facts, examples, and the keys of its value. */
export function keySection(file: SchemaFile, key: Key): readonly string[] {
  const { name, schema, description, members } = key;
  return [
    `### ${name}`,
    '',
    description,
    '',
    `Type: ${factsOf(file, key).join('; ')}.`,
    '',
    (schema.examples ?? []).map((example) => `\`"${name}": ${inline(example)}\``).join(', '),
    '',
    ...members.map((member) => keyLine(file, member)),
    ...(members.length === 0 ? [] : ['']),
  ];
}
