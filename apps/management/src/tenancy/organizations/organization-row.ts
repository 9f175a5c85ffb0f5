import type { Organization } from '@bearing/contracts/management/organization'
import type { z } from 'zod'

/** What of a row is shown. */
export const SHOWN = { id: true, slug: true, name: true, createdAt: true } as const

interface Row {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: Date
}

/** An organization as operations return it. */
export function toOrganization({ id, slug, name, createdAt }: Row): z.output<typeof Organization> {
  return { id, slug, name, created_at: createdAt.toISOString() }
}
