import { createHash } from 'node:crypto'

/** Registers of a sketch, of one byte each: the standard error of an estimate is 1.04 / √1024 = 3.3 %. */
export const SKETCH_REGISTERS = 1_024
const INDEX_BITS = 10
/** The largest value of a register: of 64 bits of a hash, 54 are left for the rank. */
const MAX_RANK = 64 - INDEX_BITS + 1
const ALPHA = 0.7213 / (1 + 1.079 / SKETCH_REGISTERS)

/**
 * Estimates how many different devices there are, without storing their serials: HyperLogLog (Flajolet et al., 2007). Sketches
 * of several gateways or hours merge without counting a device twice.
 */
export class DeviceSketch {
  private constructor(readonly registers: Uint8Array) {}

  static empty(): DeviceSketch {
    return new DeviceSketch(new Uint8Array(SKETCH_REGISTERS))
  }

  /**
   * Returns the sketch with these registers. Bytes that are missing count as 0, larger ones than a sketch can have as the largest.
   *
   * @param registers at most 1,024 bytes
   */
  static of(registers: Uint8Array): DeviceSketch {
    const sketch = DeviceSketch.empty()
    sketch.merge(registers)
    return sketch
  }

  add(serial: string): void {
    const hash = createHash('sha256').update(serial).digest()
    const index = hash.readUInt16BE(0) >>> (16 - INDEX_BITS)
    // The remaining bits: 6 of the first two bytes, and 48 after them.
    const high = ((hash.readUInt16BE(0) & 0x3f) << 16) | hash.readUInt16BE(2)
    const rank = high > 0 ? Math.clz32(high) - 10 + 1 : 22 + Math.clz32(hash.readUInt32BE(4)) + 1
    this.registers[index] = Math.max(this.registers[index] ?? 0, Math.min(rank, MAX_RANK))
  }

  merge(registers: Uint8Array): void {
    for (let index = 0; index < SKETCH_REGISTERS; index++)
      this.registers[index] = Math.max(this.registers[index] ?? 0, Math.min(registers[index] ?? 0, MAX_RANK))
  }

  /** Returns the estimated number of different devices: mostly exact up to 10, then with a standard error of about 3 %. */
  estimate(): number {
    let sum = 0
    let empty = 0
    for (const register of this.registers) {
      sum += 2 ** -register
      if (register === 0) empty++
    }
    const raw = (ALPHA * SKETCH_REGISTERS * SKETCH_REGISTERS) / sum
    const isSmall = raw <= 2.5 * SKETCH_REGISTERS && empty > 0
    return Math.round(isSmall ? SKETCH_REGISTERS * Math.log(SKETCH_REGISTERS / empty) : raw)
  }
}
