import type { Project } from '@bearing/contracts/management/tenancy/project'
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
export function toProject({ id, slug, name, createdAt }: Row): z.output<typeof Project> {
  return { id, slug, name, created_at: createdAt.toISOString() }
}
