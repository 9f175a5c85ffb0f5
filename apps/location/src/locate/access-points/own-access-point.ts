import type { AccessPoint } from '@bearing/contracts/location/access-points/access-point'
import { isLearned } from '@bearing/positioning/access-points/access-point-model'
import { stays } from '@bearing/positioning/access-points/candidates'
import { knowledgeOf, type LayerRecord } from '@bearing/positioning/learning/layers/layered-knowledge'

/** An access point as an organization itself knows it. */
export interface OwnAccessPoint {
  readonly shown: Omit<AccessPoint, 'macAddress' | 'updated_at'>
  /** True if positions are not determined with it. */
  readonly moving: boolean
}

/** Returns an access point as this layer alone knows it: a declared place as it was declared. */
export function ownAccessPoint(record: LayerRecord): OwnAccessPoint | undefined {
  const { place } = record
  const known = place?.isDeclared ? place : knowledgeOf(record)
  if (!known) return undefined
  const { lat, lon, spreadMeters: spread } = known
  const learned = isLearned(known)
  return {
    shown: {
      ...{ lat, lon, spread, learned },
      observations: Math.max(1, Math.round(known.observations)),
      declared: place?.isDeclared === true && !learned,
    },
    moving: !stays(known),
  }
}
