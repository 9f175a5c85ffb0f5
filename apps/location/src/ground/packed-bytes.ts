/**
 * Many values of bytes as one parameter: a list of them the driver would write as text, twice as long. In SQL each is
 * `substr($bytes, start, length)`.
 */
export interface PackedBytes {
  readonly bytes: Buffer
  /** From 1, as `substr` counts. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

export function packBytes(values: readonly Uint8Array[]): PackedBytes {
  let start = 1
  const starts = values.map(({ length }) => {
    start += length
    return start - length
  })
  return { bytes: Buffer.concat(values), starts, lengths: values.map(({ length }) => length) }
}
