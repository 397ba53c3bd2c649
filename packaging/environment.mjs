/** Takes from node.exe the environment variables it obeys: the exe must do the same whatever a caller's environment holds. */

/** Those that act in an application without command line, REPL, test runner, cluster and TLS, and those that only look alike. */
export const variables = [
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_COMPILE_CACHE',
  'NODE_COMPILE_CACHE_PORTABLE',
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_ICU_DATA',
  'NODE_NO_WARNINGS',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_PENDING_DEPRECATION',
  'NODE_PENDING_PIPE_INSTANCES',
  'NODE_PRESERVE_SYMLINKS',
  'NODE_PRESERVE_SYMLINKS_MAIN',
  'NODE_REDIRECT_WARNINGS',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_TEST_CONTEXT',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_UNIQUE_ID',
  'NODE_USE_ENV_PROXY',
  'NODE_USE_SYSTEM_CA',
  'NODE_V8_COVERAGE',
  'OPENSSL_CONF',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
  'SIMDJSON_FORCE_IMPLEMENTATION',
  'SIMDUTF_FORCE_IMPLEMENTATION',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'UV_THREADPOOL_SIZE',
  'WATCH_REPORT_DEPENDENCIES',
];

/** simdjson and simdutf choose between implementations only on x64. */
const onlyOnX64 = ['SIMDJSON_FORCE_IMPLEMENTATION', 'SIMDUTF_FORCE_IMPLEMENTATION'];

/** The variables that node.exe for an architecture reads. */
export function variablesOf(/** @type {import('./windows-binaries.mjs').Arch} */ arch) {
  return variables.filter((name) => arch === 'x64' || !onlyOnX64.includes(name));
}

/**
 * Renames each of them wherever the executable has it, in place: its first letter becomes `_`. The names are in C strings, in the
 * JavaScript inside node.exe and in what V8 compiled of that; all of it stays as long as it was, and agrees with itself.
 * Throws for a name that is not there: another Node calls it something else.
 * @param {Buffer} exe
 * @param {import('./windows-binaries.mjs').Arch} arch
 */
export function hideEnvironment(exe, arch) {
  for (const name of variablesOf(arch)) {
    const places = placesOf(exe, name);
    if (places.length === 0)
      throw new Error(`node.exe reads no ${name}: take it off packaging/environment.mjs`);
    for (const at of places) exe.write('_', at, 'latin1');
  }
}

/** Where a name stands by itself, and is no part of a longer one. */
function placesOf(exe, name) {
  const places = [];
  for (let at = exe.indexOf(name, 0, 'latin1'); at !== -1; at = exe.indexOf(name, at + 1, 'latin1')) {
    const around =
      exe.toString('latin1', at - 1, at) + exe.toString('latin1', at + name.length, at + name.length + 1);
    if (!/[\w$]/.test(around)) places.push(at);
  }
  return places;
}
