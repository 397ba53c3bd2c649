/** Validates bills of materials with the schema of CycloneDX. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

const cyclonedxSchemas = 'node_modules/@cyclonedx/cyclonedx-library/res/schema';

/** What is invalid in a CycloneDX 1.6 document, as `/components/0: must have required property 'type'`. */
export function cyclonedxProblems(bill: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const read = (name: string) => readSchema(join(cyclonedxSchemas, `${name}.SNAPSHOT.schema.json`));
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return problems(ajv.compile(read('bom-1.6')), bill);
}

function problems(validate: ValidateFunction, bill: unknown): readonly string[] {
  validate(bill);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

function readSchema(path: string): object {
  return JSON.parse(readFileSync(path, 'utf8'));
}
