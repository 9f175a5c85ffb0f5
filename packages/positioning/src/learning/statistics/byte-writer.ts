const SEVEN_BITS = 2 ** 7

/** Writes numbers one after the other, each in as few bytes as it needs. */
export class ByteWriter {
  private view = new DataView(new ArrayBuffer(1_024))
  private end = 0

  /** @param value 0 to 255, whole */
  byte(value: number): void {
    this.makeRoom(1)
    this.view.setUint8(this.end++, value)
  }

  /** @param value 0 to 2^53, whole; seven bits a byte, the lowest first (as in Protocol Buffers) */
  whole(value: number): void {
    this.makeRoom(8)
    let rest = value
    while (rest >= SEVEN_BITS) {
      this.view.setUint8(this.end++, SEVEN_BITS + (rest % SEVEN_BITS))
      rest = Math.floor(rest / SEVEN_BITS)
    }
    this.view.setUint8(this.end++, rest)
  }

  /** @param value −2^52 to 2^52, whole */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value)
  }

  real(value: number): void {
    this.makeRoom(8)
    this.view.setFloat64(this.end, value, true)
    this.end += 8
  }

  /** @param bssid 48 bits as an integer */
  bssid(bssid: number): void {
    this.makeRoom(6)
    this.view.setUint16(this.end, Math.floor(bssid / 2 ** 32))
    this.view.setUint32(this.end + 2, bssid % 2 ** 32)
    this.end += 6
  }

  /** Writes how many bytes follow, and then those. */
  block(bytes: Uint8Array): void {
    this.whole(bytes.length)
    this.makeRoom(bytes.length)
    new Uint8Array(this.view.buffer).set(bytes, this.end)
    this.end += bytes.length
  }

  /** Returns a copy of what was written, and starts again empty. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.view.buffer.slice(0, this.end))
    this.end = 0
    return bytes
  }

  private makeRoom(bytes: number): void {
    if (this.end + bytes <= this.view.byteLength) return
    const larger = new Uint8Array(2 * (this.end + bytes))
    larger.set(new Uint8Array(this.view.buffer, 0, this.end))
    this.view = new DataView(larger.buffer)
  }
}
