/** The version of Bearing: the same as in the root package.json (tested). */
export const VERSION = '0.1.0'
