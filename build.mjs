import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ajvValidator } from './packaging/ajv-validator.mjs';
import { bundles } from './packaging/bundles.mjs';
import { embeddedFiles, readSchema } from './packaging/embedded-schema.mjs';
import { replaceFile } from './packaging/replace-file.mjs';

const root = new URL('.', import.meta.url);
const generated = fileURLToPath(new URL('src/config/generated/', root));
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const programs = bundles(version);

/** The schema of win-hcn's configuration. */
const configuration = 'win-hcn.schema.json';
/** The schema that it refers to. */
const policies = 'policies.schema.json';

/** Writes the types, known keys and validator of the configuration. */
async function generate() {
  mkdirSync(generated, { recursive: true });
  const text = JSON.stringify(embeddedFiles(policies)[policies]);
  replaceFile(
    join(generated, 'policies-schema.ts'),
    `/** ${policies}, which few configurations need. */\nexport const policiesSchema = (): string => ${text};\n`,
  );
  const { compile } = await import('json-schema-to-typescript');
  const file = configuration;
  const stem = 'plugin-config';
  ajvValidator(file);
  const { definitions } = withLocalReferences(readSchema(policies));
  const schema = withLocalReferences(readSchema(file));
  const whole = { ...schema, definitions: { ...schema.definitions, ...definitions } };
  const shape = JSON.parse(JSON.stringify(whole), withoutConditions);
  const write = (file, ...lines) => replaceFile(join(generated, file), `${lines.join('\n')}\n`);
  const options = { bannerComment: '', additionalProperties: true, ignoreMinAndMaxItems: true };
  write(`${stem}.ts`, (await compile(shape, schema.title, options)).trimEnd());
  write(
    `${stem}-keys.ts`,
    "import type { KnownKeys } from '../known-keys.ts';",
    // V8 creates large objects faster from JSON.
    `export const knownKeys: KnownKeys = JSON.parse(${JSON.stringify(JSON.stringify(knownKeysOf(whole, whole.definitions)))});`,
  );
  const { [file]: own, [policies]: other } = embeddedFiles(file);
  const get = `get ${JSON.stringify(policies)}() { return policiesSchema(); }`;
  write(
    `${stem}-validate.ts`,
    "import { validator } from '../schema-validator.ts';",
    `import type { ${schema.title} } from './${stem}.ts';`,
    ...(other === undefined ? [] : ["import { policiesSchema } from './policies-schema.ts';"]),
    `const files = { ${JSON.stringify(file)}: ${JSON.stringify(own)}, ${other === undefined ? '' : get} };`,
    `export const validate = validator<${schema.title}>(files, '${file}');`,
  );
}

/** A schema with its references to others, in a document that has all of them. */
function withLocalReferences(schema) {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^.*#/, '#') : value,
  );
}

function withoutConditions(key, value) {
  return key === 'allOf' ? undefined : value;
}

/** The keys and enum values of a schema, by place; `types` has those that depend on a `Type`. */
function knownKeysOf({ $ref, properties, items, enum: values, anyOf = [], allOf = [] }, definitions) {
  if ($ref !== undefined) return knownKeysOf(definitions[$ref.split('/').at(-1)], definitions);
  const inner = (schema) => knownKeysOf(schema, definitions);
  const keys = Object.entries(properties ?? {}).map(([key, schema]) => [key, inner(schema)]);
  const types = allOf
    .map((condition) => [condition.if?.properties?.Type?.const, condition.then])
    .filter(([type]) => type !== undefined)
    .map(([type, schema]) => [type, inner(schema)]);
  return {
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
    ...(types.length > 0 && { types: Object.fromEntries(types) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(values !== undefined && { values }),
    ...Object.assign({}, ...anyOf.map(inner)),
  };
}

async function bundle() {
  await generate();
  const esbuild = await import('esbuild');
  mkdirSync(new URL('build', root), { recursive: true });
  await Promise.all(
    Object.values(programs).map(async (program) => {
      const { outputFiles } = await esbuild.build({ ...program, write: false });
      for (const { path, contents } of outputFiles) replaceFile(path, contents);
    }),
  );
}

/** Builds dist/win-hcn.exe, or with the word `arm64` dist/arm64/win-hcn.exe. */
async function packageExe([arch = 'x64']) {
  const out = { x64: 'dist/win-hcn.exe', arm64: 'dist/arm64/win-hcn.exe' }[arch];
  if (out === undefined)
    throw new Error(`usage: node build.mjs package [arm64]: unknown architecture ${arch}`);
  await bundle();
  const { packageExe } = await import('./packaging/exe.mjs');
  const { withoutCodeCache } = await packageExe({
    bundles: Object.values(programs).map(({ outfile }) => outfile),
    out: fileURLToPath(new URL(out, root)),
    version,
    arch,
  });
  if (withoutCodeCache === undefined) return;
  process.stderr.write(`${out} has no code cache and starts more slowly: ${withoutCodeCache}\n`);
}

/** Builds the files of a release: packaging/release/main.mjs has the options. */
async function release(words) {
  const { release } = await import('./packaging/release/main.mjs');
  await release(words, { version, programs, bundle });
}

/** Builds the container image of an architecture: packaging/image/main.mjs. */
async function image(words) {
  const { buildImage } = await import('./packaging/image/main.mjs');
  await buildImage(words, { version, programs, bundle });
}

const tasks = { generate, bundle, package: packageExe, image, release };
const task = tasks[process.argv[2]];
if (task === undefined) throw new Error(`usage: node build.mjs ${Object.keys(tasks).join('|')}`);
await task(process.argv.slice(3));
