import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('.', import.meta.url);
const generated = new URL('src/config/generated/', root);
const bundleFile = new URL('build/win-hcn.cjs', root);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The configuration's types and validator, from the schema that is the truth about it. */
async function generate() {
  const { default: Ajv } = await import('ajv');
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const { compile } = await import('json-schema-to-typescript');
  const schema = JSON.parse(readFileSync(new URL('schemas/win-hcn.schema.json', root), 'utf8'));
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    validateFormats: false,
    strictTypes: false,
    strictRequired: false,
    keywords: ['x-expected'],
    unicodeRegExp: false,
    code: { source: true, esm: true },
  });
  const { allOf: _conditions, ...shape } = schema;
  const types = await compile(shape, schema.title, {
    bannerComment: '',
    additionalProperties: true,
    ignoreMinAndMaxItems: true,
  });
  mkdirSync(generated, { recursive: true });
  writeFileSync(new URL('plugin-config.ts', generated), types);
  const vocabulary = JSON.stringify(vocabularyOf(schema, schema.definitions));
  writeFileSync(
    new URL('vocabulary.ts', generated),
    [
      "import type { Vocabulary } from '../fold-case.ts';",
      `export const vocabulary: Vocabulary = ${vocabulary};`,
      '',
    ].join('\n'),
  );
  writeFileSync(new URL('validate.js', generated), standaloneCode(ajv, ajv.compile(schema)));
  writeFileSync(
    new URL('validate.d.ts', generated),
    [
      "import type { ValidateFunction } from 'ajv';",
      "import type { PluginConfig } from './plugin-config.ts';",
      'export declare const validate: ValidateFunction<PluginConfig>;',
      '',
    ].join('\n'),
  );
}

/** The keys and words of a schema, by place. */
function vocabularyOf({ $ref, properties, items, enum: words, anyOf = [] }, definitions) {
  if ($ref !== undefined) return vocabularyOf(definitions[$ref.split('/').at(-1)], definitions);
  const inner = (schema) => vocabularyOf(schema, definitions);
  const keys = Object.entries(properties ?? {}).map(([key, schema]) => [key, inner(schema)]);
  return {
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(words !== undefined && { words }),
    ...Object.assign({}, ...anyOf.map(inner)),
  };
}

/** One CommonJS file: what Node's single executable applications run, and what the tests run on Linux. */
async function bundle() {
  await generate();
  const esbuild = await import('esbuild');
  await esbuild.build({
    entryPoints: [new URL('src/main.ts', root).pathname],
    outfile: bundleFile.pathname,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    define: { 'process.env.WIN_HCN_VERSION': JSON.stringify(version), 'import.meta.url': '__filename' },
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

async function packageExe() {
  await bundle();
  const { packageExe } = await import('./packaging/exe.mjs');
  await packageExe({ bundle: bundleFile.pathname, out: new URL('dist/win-hcn.exe', root).pathname, version });
}

const tasks = { generate, bundle, package: packageExe };
const task = tasks[process.argv[2]];
if (task === undefined) throw new Error(`usage: node build.mjs ${Object.keys(tasks).join('|')}`);
await task();
