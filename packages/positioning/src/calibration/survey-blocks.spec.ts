import { describe, expect, it } from '@jest/globals'
import { surveyBlocks, type TimedPlace } from './survey-blocks.js'

const METER = 1 / 111_195

interface WalkedPlace extends TimedPlace {
  readonly walk: string
}

/** A walk to the north whose scans are 2 s and 5 m apart. */
function walk(name: string, atSeconds: number, east: number, scans = 20): WalkedPlace[] {
  return Array.from({ length: scans }, (_, index) => ({
    walk: name,
    atSeconds: atSeconds + 2 * index,
    lat: 48 + 5 * index * METER,
    lon: 11 + (east * METER) / Math.cos((48 * Math.PI) / 180),
  }))
}

/** The walks of each block, sorted. */
function walksOf(blocks: readonly (readonly WalkedPlace[])[]): string[][] {
  return blocks.map((block) => [...new Set(block.map((scan) => scan.walk))].sort()).sort()
}

describe('blocks of a survey', () => {
  it('are whole walks, and walks that repeat each other stay together', () => {
    const scans = [
      ...walk('a', 0, 0),
      ...walk('b', 1_000, 200),
      ...walk('a again', 2_000, 3),
      ...walk('c', 3_000, 400),
      ...walk('d', 4_000, 600),
    ]
    const blocks = surveyBlocks(scans, 10)
    expect(walksOf(blocks)).toEqual([['a', 'a again'], ['b'], ['c'], ['d']])
    expect(blocks.flat()).toHaveLength(scans.length)
  })

  it('are as many as may be, and of similar size', () => {
    const scans = Array.from({ length: 12 }, (_, index) =>
      walk(String(index), 1_000 * index, 100 * index),
    ).flat()
    const blocks = surveyBlocks(scans, 5)
    expect(blocks.map((block) => block.length / 20).sort()).toEqual([2, 2, 2, 3, 3])
  })

  it('are walks if all repeat each other', () => {
    const scans = Array.from({ length: 4 }, (_, index) => walk(String(index), 1_000 * index, index)).flat()
    expect(walksOf(surveyBlocks(scans, 10))).toEqual([['0'], ['1'], ['2'], ['3']])
  })

  it('have the same number of scans if walks are few or scans have no times', () => {
    expect(surveyBlocks(walk('a', 0, 0, 100), 10).map((block) => block.length)).toEqual(
      Array.from({ length: 10 }, () => 10),
    )
    const untimed = walk('a', 0, 0, 15).map((scan) => ({ ...scan, atSeconds: 0 }))
    expect(surveyBlocks(untimed, 10).map((block) => block.length)).toEqual([2, 2, 2, 2, 2, 2, 2, 1])
    expect(surveyBlocks([], 10)).toEqual([])
  })
})
