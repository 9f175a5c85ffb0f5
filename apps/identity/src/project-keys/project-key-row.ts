import { OperationError } from '@bearing/contracts/errors'
import type { ProjectKey } from '@bearing/contracts/identity/project-key'
import type { z } from 'zod'

/** A project's key as operations return it. */
export function toProjectKey(row: {
  readonly key: string
  readonly createdAt: Date
}): z.output<typeof ProjectKey> {
  return { api_key: row.key, created_at: row.createdAt.toISOString() }
}

/** A new key: 32 characters of 0–9 and a–f. */
export function newProjectKey(bytes: (length: number) => Uint8Array): string {
  return Buffer.from(bytes(16)).toString('hex')
}

/** The project does not exist, or is of another organization: callers cannot tell which. */
export function projectNotFound(): OperationError {
  return new OperationError(
    'project_not_found',
    'There is no such project, or the credential does not reach it.',
  )
}
