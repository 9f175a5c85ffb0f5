import { OperationError } from '@bearing/contracts/errors'
import type { DeviceDeletion } from '@bearing/contracts/management/devices/device-deletion'
import type { z } from 'zod'

interface Row {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly deleted: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** Converts a row for replies. */
export function toDeletion(row: Row): z.output<typeof DeviceDeletion> {
  return {
    id: row.id,
    state: row.state as z.output<typeof DeviceDeletion>['state'], // written by these operations and their job alone
    total: row.total,
    deleted: row.deleted,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}

/** The scope of an operation on a deletion. */
export interface DeletionScope {
  readonly organization_id: string
  readonly project_id: string
  readonly deletion_id: string
}

export function ofDeletion({ organization_id, project_id, deletion_id }: DeletionScope) {
  return { id: deletion_id, projectId: project_id, organizationId: organization_id }
}

export function deletionNotFound(): OperationError {
  return new OperationError(
    'deletion_not_found',
    'The project has no such deletion of devices. Check the id.',
  )
}
