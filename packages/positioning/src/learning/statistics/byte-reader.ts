const SEVEN_BITS = 2 ** 7

/** Reads what a {@link import('./byte-writer.js').ByteWriter} has written. Reading over the end throws. */
export class ByteReader {
  private readonly view: DataView
  private at = 0

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** True if everything was read. */
  get isDone(): boolean {
    return this.at === this.bytes.length
  }

  byte(): number {
    return this.view.getUint8(this.at++)
  }

  whole(): number {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = this.byte()
      value += (byte % SEVEN_BITS) * unit
      if (byte < SEVEN_BITS) return value
      unit *= SEVEN_BITS
    }
  }

  signed(): number {
    const value = this.whole()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  real(): number {
    const value = this.view.getFloat64(this.at, true)
    this.at += 8
    return value
  }

  bssid(): number {
    const value = this.view.getUint16(this.at) * 2 ** 32 + this.view.getUint32(this.at + 2)
    this.at += 6
    return value
  }

  /** Returns the bytes of a block, not copied. */
  block(): Uint8Array {
    const length = this.whole()
    if (this.at + length > this.bytes.length) throw new RangeError('the bytes end within a block')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}
