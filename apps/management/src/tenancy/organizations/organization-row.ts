import type { Organization } from '@bearing/contracts/management/organization'
import type { z } from 'zod'

/** Columns that operations return. */
export const SHOWN = { id: true, slug: true, name: true, createdAt: true } as const

interface Row {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: Date
}

/** Converts a row for replies. */
export function toOrganization({ id, slug, name, createdAt }: Row): z.output<typeof Organization> {
  return { id, slug, name, created_at: createdAt.toISOString() }
}
