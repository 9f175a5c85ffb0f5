import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { FREE_BYTES, Inflation, InflationError, MOST_PER_BYTE, type InflationLimits } from './inflation.js'

const ANY = { maxBytes: Infinity }

async function read(body: Buffer, limits: InflationLimits, pieceBytes = 16_384) {
  const inflation = new Inflation(limits)
  const pieces = async function* () {
    for (let from = 0; from < body.length; from += pieceBytes) {
      yield await Promise.resolve(body.subarray(from, from + pieceBytes))
    }
  }
  const taken: Buffer[] = []
  try {
    for await (const bytes of inflation.stream(pieces())) taken.push(bytes)
    return { inflation, content: Buffer.concat(taken), fault: undefined }
  } catch (error) {
    if (!(error instanceof InflationError)) throw error
    return { inflation, content: Buffer.concat(taken), fault: error.fault }
  }
}

/** Content that compresses from not at all to a thousand to one. */
const content = fc
  .tuple(fc.uint8Array({ maxLength: 20_000 }), fc.nat(4_000_000))
  .map(([start, zeros]) => Buffer.concat([start, Buffer.alloc(zeros)]))

describe('Inflation', () => {
  it('yields all content or an error, and never more than every limit allows, for any content, limit and piece', async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.nat(5_000_000),
        fc.option(fc.nat(5_000_000), { nil: undefined }),
        fc.integer({ min: 1_000, max: 100_000 }),
        async (bytes, maxBytes, announced, pieceBytes) => {
          const body = gzipSync(bytes)
          const found = await read(body, { maxBytes, announced, length: body.length }, pieceBytes)
          const most = Math.min(
            maxBytes,
            FREE_BYTES + MOST_PER_BYTE * body.length,
            announced === undefined || announced === body.length ? Infinity : announced,
          )
          expect(found.content.length).toBeLessThanOrEqual(most)
          expect(found.fault === undefined).toBe(bytes.length <= most)
          if (found.fault === undefined) expect(found.content.equals(bytes)).toBe(true)
          expect(found.inflation.cost).toBeGreaterThanOrEqual(found.content.length)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('decides about a whole body in memory as it does about one in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat(5_000_000), async (bytes, maxBytes) => {
        const body = gzipSync(bytes)
        const { fault } = await read(body, { maxBytes }, body.length)
        const inflation = new Inflation({ maxBytes })
        if (fault === undefined) expect(inflation.all(body).equals(bytes)).toBe(true)
        else expect(() => inflation.all(body)).toThrow(InflationError)
        expect(inflation.cost).toBeGreaterThanOrEqual(body.length)
      }),
      { numRuns: 60 },
    )
  })

  it('refuses a body of 300 MiB in 300 KB after a tenth of it, and counts what that cost', async () => {
    const body = gzipSync(Buffer.alloc(300 * 1_048_576))
    const { fault, inflation } = await read(body, ANY)
    expect(fault).toBe('too_dense')
    expect(inflation.inflated).toBeLessThan(35 * 1_048_576)
    expect(inflation.cost).toBeGreaterThan(FREE_BYTES)
  })

  it('takes an announced size as that of the content or of the compressed body', async () => {
    const bytes = Buffer.from('of a device '.repeat(1_000))
    const body = gzipSync(bytes)
    const { length } = body
    for (const announced of [bytes.length, length])
      expect(await read(body, { ...ANY, announced, length })).toMatchObject({ fault: undefined })
    for (const announced of [0, length - 1, length + 1, bytes.length - 1])
      expect(await read(body, { ...ANY, announced, length })).toMatchObject({ fault: 'not_announced' })
    // Without a length, any size up to what has arrived is impossible.
    expect(await read(body, { ...ANY, announced: length })).toMatchObject({ fault: undefined })
    expect(await read(body, { ...ANY, announced: length - 1 })).toMatchObject({ fault: 'not_announced' })
  })

  it('reports a body that is no gzip, or not all of it, as damaged', async () => {
    const body = gzipSync(Buffer.alloc(10_000))
    for (const damaged of [Buffer.from('no gzip'), body.subarray(0, -5)]) {
      expect(await read(damaged, ANY)).toMatchObject({ fault: 'damaged' })
      expect(() => new Inflation(ANY).all(damaged)).toThrow('damaged')
    }
  })
})
