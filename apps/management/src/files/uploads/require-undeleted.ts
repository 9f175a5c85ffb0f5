import { OperationError } from '@bearing/contracts/errors'
import type { Database, Transaction } from '../../ground/database.js'
import { uploadUrlInvalid } from './upload-tokens.js'

/** Seconds after which a device tries again: one hour. By then it prepares the upload again. */
const RETRY_AFTER_S = 3_600

/**
 * Verifies that the organization and the project of an upload are not deleted: an upload URL needs no credential that would have
 * stopped.
 *
 * @throws OperationError `organization_deleted` or `project_deleted`; `upload_url_invalid` if they are erased
 */
export async function requireUndeleted(
  database: Database | Transaction,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
): Promise<void> {
  const project = await database.project.findUnique({
    where: { id: projectId, organizationId },
    select: { deletedAt: true, organization: { select: { deletedAt: true } } },
  })
  if (!project) throw uploadUrlInvalid()
  if (project.organization.deletedAt) throw deleted('organization')
  if (project.deletedAt) throw deleted('project')
}

function deleted(what: 'organization' | 'project'): OperationError {
  return new OperationError(
    `${what}_deleted`,
    `The ${what} of this upload was deleted. An admin of the organization can restore it until its erasure. Keep the file, and prepare the upload again later.`,
    { retry_after: RETRY_AFTER_S },
  )
}
