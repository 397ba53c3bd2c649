/** The schema files as the plugin contains them: sorted for its validator, and without texts for editors. */

import { readFileSync } from 'node:fs';
import { keywords } from '../src/config/schema-validator.ts';

/** In the order in which the validator checks them, then those that another keyword or a message reads. */
const kept = [...Object.keys(keywords), 'then', 'else', 'definitions', 'format', 'x-expected'];
const dropped = ['$schema', '$id', 'title', 'description', 'default', 'examples'];

/** Keywords with one schema, a list of schemas, and schemas by name. */
const withSchema = ['not', 'if', 'then', 'else', 'contains', 'items', 'additionalProperties'];
const withSchemas = ['anyOf', 'allOf'];
const withNamedSchemas = ['properties', 'patternProperties', 'definitions'];

/** Returns a schema file's JSON. */
export function readSchema(file) {
  return JSON.parse(readFileSync(new URL(`../schemas/${file}`, import.meta.url), 'utf8'));
}

/**
 * Returns the embedded text of a schema file and of those that it refers to, by name.
 * @param {string} file
 * @returns {Record<string, string>}
 */
export function embeddedFiles(file) {
  const text = JSON.stringify(embeddedSchema(readSchema(file), file));
  const others = [...text.matchAll(/"\$ref":"([^"#]+)#/g)].map(([, other]) => other);
  return Object.assign({ [file]: text }, ...[...new Set(others)].map(embeddedFiles));
}

/** Returns a schema as embedded. Throws for a keyword that the validator does not know. `path` names the schema in the error. */
export function embeddedSchema(schema, path) {
  if (schema === false) return schema;
  const unknown = Object.keys(schema).find(
    (keyword) => !kept.includes(keyword) && !dropped.includes(keyword),
  );
  if (unknown !== undefined)
    throw new Error(`src/config/schema-validator.ts has no keyword "${unknown}": ${path}`);
  const present = kept.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(
    present.map((keyword) => [keyword, embeddedValue(keyword, schema[keyword], `${path}/${keyword}`)]),
  );
}

function embeddedValue(keyword, value, path) {
  if (withSchema.includes(keyword)) return embeddedSchema(value, path);
  if (withSchemas.includes(keyword)) return value.map((schema) => embeddedSchema(schema, path));
  if (!withNamedSchemas.includes(keyword)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, embeddedSchema(schema, `${path}/${name}`)]),
  );
}
