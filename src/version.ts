/** The version of this build; tests run the sources. */
export const version = process.env['WIN_HCN_VERSION'] ?? 'from its sources';

/**
 * Whether V8 used the code cache of the first bundle in the exe (packaging/start.cjs): `used`, `rejected`, or `none`. V8 rejects a cache of
 * another build; the exe then starts more slowly.
 */
export const codeCache: string = String(Reflect.get(globalThis, 'winHcnCodeCache') ?? 'none');
