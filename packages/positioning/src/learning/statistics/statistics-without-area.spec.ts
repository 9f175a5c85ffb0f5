import { describe, expect, it } from '@jest/globals'
import { modelOf } from './model-of.js'
import { merge, statisticsOf, WHOLE_WEIGHT, type AccessPointStatistics } from './statistics.js'
import { mayTouchArea, statisticsWithoutArea } from './statistics-without-area.js'

const MIDDLE = { lat: 48.1372, lon: 11.5755 }
const RADIUS = 100
/** Heard so many meters to the north of the middle. */
const heardAt = (meters: number, signalDbm = -50) =>
  statisticsOf({
    ...MIDDLE,
    lat: MIDDLE.lat + meters / 111_195,
    signalDbm,
    weight: WHOLE_WEIGHT,
    day: 20_600,
  })
const weightOf = ({ bands, sites }: AccessPointStatistics) => ({
  cells: bands.flatMap(({ cells }) => cells).reduce((sum, { weight }) => sum + weight, 0),
  sites: sites.sites.reduce((sum, { weight }) => sum + weight, 0),
})

describe('statistics without an area', () => {
  it('have nothing that was heard in it, though most was heard beside it, and weigh what is left', () => {
    const outside = [130, 140, 150, 160].map((meters) => heardAt(meters))
    const inside = [0, 20, 40, 60].map((meters) => heardAt(meters, -84))
    const left = statisticsWithoutArea(merge([...outside, ...inside]), MIDDLE, RADIUS)
    if (!left) throw new Error('nothing is left')
    expect(left.bands).toEqual(merge(outside).bands)
    expect(weightOf(left)).toEqual({ cells: 4 * WHOLE_WEIGHT, sites: 4 * WHOLE_WEIGHT })
    expect(modelOf(left)).toMatchObject({ observations: 4 })
  })

  it('are nothing where all was heard in it, and the same where nothing was', () => {
    expect(statisticsWithoutArea(merge([heardAt(0), heardAt(50)]), MIDDLE, RADIUS)).toBeUndefined()
    for (const meters of [110, 300, 10_000]) {
      const statistics = heardAt(meters)
      expect(statisticsWithoutArea(statistics, MIDDLE, RADIUS)).toBe(statistics)
    }
  })

  it('keep former homes elsewhere as they are', () => {
    const elsewhere = heardAt(30_000)
    expect(statisticsWithoutArea(merge([elsewhere, heardAt(0)]), MIDDLE, RADIUS)?.bands).toEqual(
      merge([elsewhere]).bands,
    )
  })

  it('are looked at wherever the access point may be in it', () => {
    expect(mayTouchArea(merge([heardAt(-200), heardAt(200)]), MIDDLE, 50)).toBe(true)
    expect(mayTouchArea(heardAt(10_000), MIDDLE, RADIUS)).toBe(false)
  })
})
