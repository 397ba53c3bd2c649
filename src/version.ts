/** The version of this build; tests run the sources. */
export const version = process.env['WIN_HCN_VERSION'] ?? 'from its sources';

/** What V8 did with the code cache in the exe (packaging/start.cjs): without one, or with one of another V8, the exe starts more slowly. */
export const codeCache: string = String(Reflect.get(globalThis, 'winHcnCodeCache') ?? 'none');
