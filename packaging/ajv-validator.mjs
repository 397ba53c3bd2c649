import { Ajv } from 'ajv';
import { readSchema } from './embedded-schema.mjs';

/**
 * Compiles a schema file with ajv. Throws if it is not a proper schema, or has an unknown keyword. The tests compare ajv's validator with
 * the plugin's.
 * @param {string} file
 */
export function ajvValidator(file) {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    messages: false,
    validateFormats: false,
    strictTypes: false,
    strictRequired: false,
    keywords: ['x-expected'],
    unicodeRegExp: false,
    inlineRefs: false,
  });
  ajv.addSchema(readSchema('policies.schema.json'));
  return ajv.compile(readSchema(file));
}
