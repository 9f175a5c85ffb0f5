import { OperationError } from '@bearing/contracts/errors'
import type { Organization } from '@bearing/contracts/management/tenancy/organization'
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

/** Returns the error for an organization that does not exist or that the caller must not know of. */
export function organizationNotFound(): OperationError {
  return new OperationError(
    'organization_not_found',
    'The organization does not exist, or the credential has no access to it.',
  )
}
