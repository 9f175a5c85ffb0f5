import { Id } from '@bearing/contracts/primitives'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import type { RetentionOf } from '@bearing/service/store/dead-letters'
import type { Pools } from '../../ground/database.js'
import { readRows } from '../../ground/read-rows.js'
import { viewSettings } from '../settings/settings-view.js'

/** Returns whose observations they are; null if that is unknown. */
export function ownerOf({ subject }: Pick<StoredMessage, 'subject'>): {
  readonly organization_id: string | null
  readonly project_id: string | null
} {
  const [organization, project] = subject.split('.').slice(-2)
  return { organization_id: idOrNull(organization), project_id: idOrNull(project) }
}

function idOrNull(text: string | undefined): string | null {
  return Id.safeParse(text).data ?? null
}

const READ_RETENTION = {
  text: 'SELECT organization_id, retention_days FROM location_settings WHERE organization_id = ANY ($1::uuid[])',
  columns: { organization_id: 'uuid', retention_days: 'int4' },
} as const

/** Returns how long organizations keep what they have contributed: dead letters of it, too. */
export function observationRetention(pools: Pick<Pools, 'learning'>): RetentionOf {
  return async (subjects) => {
    const owners = subjects.map((subject) => ownerOf({ subject }).organization_id)
    const known = [...new Set(owners.filter((owner) => owner !== null))]
    const rows = await readRows(pools.learning, READ_RETENTION, [known])
    const days = new Map(rows.map((row) => [row.organization_id, row.retention_days]))
    const usual = viewSettings(null).observation_retention_days
    return new Map(subjects.map((subject, index) => [subject, days.get(owners[index] ?? '') ?? usual]))
  }
}
