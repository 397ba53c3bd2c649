/** The version of this build; tests run the sources. */
export const version = process.env['WIN_HCN_VERSION'] ?? 'from its sources';
