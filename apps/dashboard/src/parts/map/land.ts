const PER_DEGREE = 20

/** Loads the land, which only pages with a map need. */
export async function loadLand(): Promise<[number, number][][][]> {
  const { LAND } = await import('./land-data.js')
  return LAND.map((polygon) => polygon.map(unpack))
}

function unpack(ring: readonly number[]): [number, number][] {
  let [x, y] = [0, 0]
  return Array.from({ length: ring.length / 2 }, (_, at) => {
    x += ring[2 * at] ?? 0
    y += ring[2 * at + 1] ?? 0
    return [x / PER_DEGREE, y / PER_DEGREE]
  })
}
