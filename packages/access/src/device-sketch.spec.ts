import { describe, expect, it } from '@jest/globals'
import { DeviceSketch, SKETCH_REGISTERS } from './device-sketch.js'

const sketchOf = (count: number, prefix = 'DEVICE-') => {
  const sketch = DeviceSketch.empty()
  for (let index = 0; index < count; index++) sketch.add(prefix + String(index))
  return sketch
}

describe('a sketch of devices', () => {
  it('counts none, one, and one that comes again', () => {
    const sketch = DeviceSketch.empty()
    expect(sketch.estimate()).toBe(0)
    for (let again = 0; again < 5; again++) sketch.add('A')
    expect(sketch.estimate()).toBe(1)
  })

  it.each([10, 100, 1_000, 2_500, 3_000, 10_000, 100_000])(
    'estimates %d devices within 10 %%, three standard errors',
    (count) => {
      expect(Math.abs(sketchOf(count).estimate() - count) / count).toBeLessThan(0.1)
    },
  )

  it('merged with another one counts a device of both once', () => {
    const merged = sketchOf(1_000)
    merged.merge(sketchOf(1_000).registers)
    expect(merged.estimate()).toBe(sketchOf(1_000).estimate())
    merged.merge(sketchOf(1_000, 'OTHER-').registers)
    expect(Math.abs(merged.estimate() - 2_000)).toBeLessThan(200)
  })

  it('takes registers of any length and value', () => {
    expect(DeviceSketch.of(new Uint8Array()).estimate()).toBe(0)
    const full = DeviceSketch.of(new Uint8Array(2 * SKETCH_REGISTERS).fill(255))
    expect(full.registers).toHaveLength(SKETCH_REGISTERS)
    expect(Number.isFinite(full.estimate())).toBe(true)
  })
})
