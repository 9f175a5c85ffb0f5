import { describe, expect, it } from '@jest/globals'
import { declaredPlaceOf, isLearned } from '../../access-points/access-point-model.js'
import { layeredKnowledge } from './layered-knowledge.js'
import { merge, statisticsOf, WHOLE_WEIGHT } from '../statistics/statistics.js'

const heardAt = (lat: number, times = 1) =>
  merge(
    Array.from({ length: times }, () =>
      statisticsOf({ lat, lon: 11, signalDbm: -60, weight: WHOLE_WEIGHT, day: 20_000 }),
    ),
  )
const placeAt = (lat: number, { isDeclared = false, observations = 1 } = {}) => ({
  lat,
  lon: 11,
  spreadMeters: 10,
  observations,
  isDeclared,
})

describe('what the layers know of an access point', () => {
  it('is nothing where neither knows anything', () => {
    expect(layeredKnowledge({}, {})).toBeUndefined()
  })

  it('is what was learned around a declared place, with the place for measured distances', () => {
    const declared = placeAt(48, { isDeclared: true })
    const found = layeredKnowledge({ place: declared, statistics: heardAt(48.0001, 9) }, {})
    expect(found?.known && isLearned(found.known) && declaredPlaceOf(found.known)).toEqual(declared)
    expect(found?.known.lat).toBeCloseTo(48.0001, 5)
    // Hardly observed.
    expect(layeredKnowledge({ place: declared, statistics: heardAt(48.0001, 2) }, {})?.known).toEqual(
      declared,
    )
  })

  it('is what an organization has declared, if it is heard elsewhere', () => {
    const declared = placeAt(48, { isDeclared: true })
    const found = layeredKnowledge({ place: declared, statistics: heardAt(49, 9) }, { place: placeAt(50) })
    expect(found).toEqual({ known: declared, isOwn: true })
  })

  it('is what the organization has learned itself, whatever the base layer says', () => {
    const found = layeredKnowledge(
      { statistics: heardAt(48, 2) },
      { place: placeAt(50, { observations: 99 }) },
    )
    expect(found).toMatchObject({ isOwn: true, known: { observations: 2 } })
    expect(found?.known.lat).toBeCloseTo(48, 5)
  })

  it('is the import of the base layer where the organization knows nothing, and nothing that was learned there', () => {
    expect(layeredKnowledge({}, { place: placeAt(50) })).toMatchObject({ known: { lat: 50 }, isOwn: false })
    expect(layeredKnowledge({}, { statistics: heardAt(48, 5) })).toBeUndefined()
    const place = placeAt(50, { observations: 1 })
    expect(layeredKnowledge({}, { place, statistics: heardAt(48, 5) })).toEqual({
      known: place,
      isOwn: false,
    })
  })

  it('is an import or what was learned, by which has more observations', () => {
    const both = (observations: number) =>
      layeredKnowledge({ place: placeAt(48, { observations }), statistics: heardAt(49, 5) }, {})
    expect(both(6)?.known.lat).toBe(48)
    const learned = both(4)?.known
    expect(learned && isLearned(learned)).toBe(true)
  })
})
