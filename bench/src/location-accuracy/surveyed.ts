import type { Knowledge } from '@bearing/positioning/access-points/access-point-model'
import { ReferenceScans } from '@bearing/positioning/references/reference-scans'
import type { Learned } from '@bearing/positioning/learning/evidence/learn-scans'

/** Returns the learned model without reference scans: as if the positions of devices were too rough, or others had contributed it. */
export function withoutReferences({ known }: Learned): Learned {
  return { known, references: ReferenceScans.of([]) }
}

/** Returns the part of the learned model that an import of positions has. */
export function positionsAlone({ known }: Learned): Learned {
  const positions = new Map<number, Knowledge>(
    [...known].map(([bssid, { lat, lon, spreadMeters, observations }]) => [
      bssid,
      { lat, lon, spreadMeters, observations },
    ]),
  )
  return { known: positions, references: ReferenceScans.of([]) }
}
