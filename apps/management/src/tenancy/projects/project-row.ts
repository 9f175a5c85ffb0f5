import type { Project } from '@bearing/contracts/management/project'
import type { z } from 'zod'

/** What of a row is shown. */
export const SHOWN = { id: true, slug: true, name: true, createdAt: true } as const

interface Row {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: Date
}

/** A project as operations return it. */
export function toProject({ id, slug, name, createdAt }: Row): z.output<typeof Project> {
  return { id, slug, name, created_at: createdAt.toISOString() }
}
