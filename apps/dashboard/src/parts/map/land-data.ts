/** Rings of polygons: longitudes and latitudes in twentieths of a degree, each as the difference to the one before. */
export type PackedLand = readonly (readonly (readonly number[])[])[]

/** `build.mjs` replaces this file with the land of the package `world-atlas`. */
export const LAND: PackedLand = []
