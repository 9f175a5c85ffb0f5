import { Prisma } from '../generated/prisma/client.js'

/**
 * Condition on a webhook `w`: neither its project nor its organization is deleted. Deliveries of deleted ones wait, until they are
 * restored or erased.
 */
export const NOT_DELETED = Prisma.sql`
  EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.id = w.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL)`
