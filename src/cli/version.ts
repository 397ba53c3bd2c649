/** The version that is built; tests run the sources. */
export const version = process.env['WIN_HCN_VERSION'] ?? 'from its sources';
