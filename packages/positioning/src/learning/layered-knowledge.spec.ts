import { describe, expect, it } from '@jest/globals'
import { isLearned } from '../access-points/access-point-model.js'
import { layeredKnowledge as knowledgeFor, type LayerRecord } from './layered-knowledge.js'
import { age, merge, statisticsOf, WHOLE_WEIGHT } from './statistics.js'
import { APART, contributedByTwo, TWO } from './two-contributors.js'

/** What is shared was contributed by two independent organizations. */
const layeredKnowledge = (own: LayerRecord, shared: LayerRecord) => {
  const { statistics } = shared
  return knowledgeFor(
    own,
    statistics ? { ...shared, contributors: contributedByTwo(statistics) } : shared,
    APART,
  )
}
const heardAt = (lat: number, times = 1) =>
  merge(
    Array.from({ length: times }, () =>
      statisticsOf({ lat, lon: 11, signalDbm: -60, weight: WHOLE_WEIGHT, day: 20_000 }),
    ),
  )
/** Heard on two days after all others: enough to have been moved there. */
const heardSince = (lat: number) =>
  merge(
    [20_001, 20_002].map((day) => statisticsOf({ lat, lon: 11, signalDbm: -60, weight: WHOLE_WEIGHT, day })),
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

  it('is what an organization has declared, whatever else is known', () => {
    const declared = placeAt(48, { isDeclared: true })
    const found = layeredKnowledge(
      { place: declared, statistics: heardAt(49, 9) },
      { statistics: heardAt(50) },
    )
    expect(found).toEqual({ all: declared, own: declared, shared: undefined, isOthers: false })
  })

  it('is what was learned by the organization and for all, added up', () => {
    const found = layeredKnowledge({ statistics: heardAt(48, 2) }, { statistics: heardAt(48.0001, 2) })
    expect(found).toMatchObject({
      ...{ isOthers: true, own: { observations: 2 }, shared: { observations: 2 }, all: { observations: 4 } },
    })
    expect(found?.own?.lat).toBeCloseTo(48, 5)
    expect(found?.all.lat).toBeCloseTo(48.00005, 5)
  })

  it('is what is shared where the organization knows nothing, and that is not its own', () => {
    const found = layeredKnowledge({}, { place: placeAt(50) })
    expect(found).toMatchObject({ own: undefined, isOthers: true, all: { lat: 50 }, shared: { lat: 50 } })
  })

  it('is the organization’s own where nobody else has a part in what is shared, however old and however much it is', () => {
    const own = merge([heardAt(48, 3), heardAt(48.0001, 30), heardAt(48.02)])
    for (const shared of [own, heardAt(48, 2), merge([heardAt(48.0001, 29), heardAt(48.02)])])
      expect(layeredKnowledge({ statistics: own }, { statistics: shared })).toMatchObject({
        ...{ isOthers: false, all: { observations: 33 } },
      })
    const more = merge([own, heardAt(48)])
    expect(layeredKnowledge({ statistics: own }, { statistics: more })).toMatchObject({ isOthers: true })
    const later = age(own, own.period + 1)
    expect(layeredKnowledge({ statistics: own }, { statistics: later })).toMatchObject({ isOthers: false })
  })

  it('is others’ where the shared layer alone puts it, wherever the organization has heard it', () => {
    const later = heardSince(48)
    const found = layeredKnowledge({ statistics: later }, { statistics: heardAt(52, 20) })
    expect(found?.all.lat).toBeCloseTo(48, 5)
    expect(found?.shared?.lat).toBeCloseTo(52, 5)
    expect(found?.isOthers).toBe(true)
  })

  it('is not others’ where an organization that shares has moved it to: they have heard it elsewhere', () => {
    const mine = heardSince(48)
    const shared = merge([heardAt(52, 20), mine])
    const found = layeredKnowledge({ statistics: mine }, { statistics: shared })
    expect(found?.shared?.lat).toBeCloseTo(48, 5)
    expect(found?.isOthers).toBe(false)
    const near = merge([heardAt(48.002, 20), mine])
    expect(layeredKnowledge({ statistics: mine }, { statistics: near })?.isOthers).toBe(true)
  })

  it('is nowhere by the shared layer where that says that it moves, or the organization’s import replaces it', () => {
    const bus = merge(Array.from({ length: 12 }, (_, index) => heardAt(40 + index, 3)))
    const mine = { statistics: heardAt(48, 5) }
    expect(layeredKnowledge(mine, { statistics: bus })?.shared).toBeUndefined()
    const imported = { ...mine, place: placeAt(48, { observations: 6 }) }
    expect(layeredKnowledge(imported, { statistics: heardAt(52) })).toMatchObject({
      ...{ shared: undefined, isOthers: false, all: { lat: 48 } },
    })
  })

  it('is an import or what was learned, by which has more observations', () => {
    const both = (observations: number) =>
      layeredKnowledge({ place: placeAt(48, { observations }), statistics: heardAt(49, 5) }, {})
    expect(both(6)?.all.lat).toBe(48)
    const learned = both(4)?.all
    expect(learned && isLearned(learned)).toBe(true)
  })
})

describe('what is shared of an access point', () => {
  const statistics = heardAt(48, 5)
  const contributors = contributedByTwo(statistics)
  const elsewhere = contributedByTwo(heardAt(48.05))

  it('is used for no caller if fewer than two independent organizations contributed it', () => {
    const related = () => 'one group'
    const asking = (organization: string) => (organization === TWO[0] ? undefined : organization)
    const unknown = () => undefined
    for (const groupOf of [related, asking, unknown])
      expect(knowledgeFor({}, { statistics, contributors }, groupOf)).toBeUndefined()
    expect(knowledgeFor({}, { statistics, contributors: contributors.slice(1) }, APART)).toBeUndefined()
    expect(knowledgeFor({}, { statistics }, APART)).toBeUndefined()
    expect(knowledgeFor({}, { statistics, contributors }, APART)).toMatchObject({ isOthers: true })
  })

  it('is not used if the second organization contributed it somewhere else', () => {
    const [one] = contributors
    const [, other] = elsewhere
    if (!one || !other) throw new Error('there are two')
    expect(knowledgeFor({}, { statistics, contributors: [one, other] }, APART)).toBeUndefined()
    const everywhere = { organization: other.organization, squares: [] }
    expect(knowledgeFor({}, { statistics, contributors: [one, everywhere] }, APART)).toBeUndefined()
  })

  it('is the import alone if only the import may be used', () => {
    const place = placeAt(50)
    expect(knowledgeFor({}, { place, statistics }, APART)).toMatchObject({ all: { lat: 50 }, isOthers: true })
    expect(knowledgeFor({}, { place, statistics, contributors }, APART)).toMatchObject({
      all: { lat: expect.closeTo(48, 4) as unknown },
    })
  })

  it('does not change what an organization knows itself if only one other contributed it', () => {
    const own = heardAt(48.0001)
    const groupOf = (organization: string) => (organization === TWO[0] ? undefined : organization)
    expect(knowledgeFor({ statistics: own }, { statistics, contributors }, groupOf)).toEqual(
      knowledgeFor({ statistics: own }, {}, APART),
    )
  })
})
