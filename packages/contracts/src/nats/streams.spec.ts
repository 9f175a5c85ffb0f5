import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { CHUNK_STREAM, CHUNK_STREAMS, MAX_CHUNK_PARTITIONS, chunkStream } from './streams.js'

const PROJECTS = 4_000
const projects = Array.from({ length: PROJECTS }, () => randomUUID())

describe('the partition of a project', () => {
  it('is the stream CHUNKS if there is one partition', () => {
    for (const project of projects) expect(chunkStream(project, 1)).toBe(CHUNK_STREAM)
    expect(CHUNK_STREAM).toMatchObject({ name: 'CHUNKS', subject: 'management.v1.chunk.send' })
  })

  it('changes only to a new partition if the number grows', () => {
    for (const project of projects)
      for (let number = 1; number < MAX_CHUNK_PARTITIONS; number++) {
        const [before, after] = [chunkStream(project, number), chunkStream(project, number + 1)]
        if (after !== before) expect(after).toBe(CHUNK_STREAMS[number])
      }
  })

  it.each([2, 3, 4, 8])('is each of %i for about as many projects', (number) => {
    const counts = new Map<string, number>()
    for (const project of projects) {
      const { name } = chunkStream(project, number)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    expect(counts.size).toBe(number)
    // Five standard deviations.
    const deviation = 5 * Math.sqrt((PROJECTS / number) * (1 - 1 / number))
    for (const count of counts.values()) expect(Math.abs(count - PROJECTS / number)).toBeLessThan(deviation)
  })

  it('stays the same from one version of Bearing to the next', () => {
    const known = Array.from({ length: 8 }, (_, number) =>
      chunkStream(`019aa000-0000-7000-8000-00000000000${String(number)}`, 8),
    )
    // Other gateways hash the same projects at the same time.
    expect(known.map(({ name }) => name).join()).toBe(
      'CHUNKS_4,CHUNKS,CHUNKS_4,CHUNKS_6,CHUNKS_6,CHUNKS_2,CHUNKS,CHUNKS_6',
    )
  })
})
