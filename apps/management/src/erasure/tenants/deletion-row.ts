import { OperationError } from '@bearing/contracts/errors'
import {
  DELETION_PARTS,
  type Deletion,
  type DeletionPart,
} from '@bearing/contracts/management/tenancy/deletion'
import type { Transaction } from '../../ground/database.js'

/** An organization, or one of its projects. */
export interface Tenant {
  readonly organizationId: string
  /** Null: the organization. */
  readonly projectId: string | null
}

/** Progress of one part, as it is stored. */
export interface Progress {
  readonly part: DeletionPart
  readonly erased: number
  readonly remaining: number | null
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly error: string | null
}

export interface DeletionRow extends Tenant {
  readonly id: string
  readonly slug: string | null
  readonly name: string | null
  readonly state: string
  readonly version: bigint
  readonly confirmed: bigint
  readonly deletedAt: Date
  readonly stoppedAt: Date | null
  readonly eraseAfter: Date
  readonly erasingSince: Date | null
  readonly erasedAt: Date | null
  readonly parts: unknown
  readonly failures: number
}

/** Returns the stored progress, in the order of the erasure. */
export function progressOf({ parts }: Pick<DeletionRow, 'parts'>): Progress[] {
  return Array.isArray(parts) ? (parts as Progress[]) : [] // only this wing writes it
}

/** Returns the progress of an erasure that has not started. */
export function newProgress(): Progress[] {
  return DELETION_PARTS.map((part) => ({
    part,
    erased: 0,
    remaining: null,
    started_at: null,
    finished_at: null,
    error: null,
  }))
}

/** Converts a row for replies. */
export function toDeletion(row: DeletionRow): Deletion {
  return {
    id: row.id,
    organization_id: row.organizationId,
    project_id: row.projectId,
    slug: row.slug,
    name: row.name,
    state: row.state === 'erasing' || row.state === 'erased' ? row.state : 'deleted',
    deleted_at: row.deletedAt.toISOString(),
    credentials_stopped_at: row.stoppedAt?.toISOString() ?? null,
    erase_after: row.eraseAfter.toISOString(),
    erasing_since: row.erasingSince?.toISOString() ?? null,
    erased_at: row.erasedAt?.toISOString() ?? null,
    parts: progressOf(row),
  }
}

/** Returns the error for an organization or project that is not deleted, or whose erasure has ended. */
export function deletionNotFound(): OperationError {
  return new OperationError('deletion_not_found', 'It is not deleted, or was erased already.')
}

/** Returns the deletion of a tenant that was neither restored nor completed. */
export async function findOpen(
  database: Pick<Transaction, 'deletion'>,
  tenant: Tenant,
): Promise<DeletionRow | null> {
  return database.deletion.findFirst({
    where: { ...tenant, state: { in: ['deleted', 'erasing'] } },
    orderBy: { version: 'desc' },
  })
}
