import type { PendingKeyImport } from '@bearing/contracts/identity/credentials/project-key'
import type { z } from 'zod'
import type { ProjectKeyImport } from '../../generated/prisma/client.js'

/** Returns a requested import as the contract has it. */
export function toKeyImport(
  row: Pick<ProjectKeyImport, 'key' | 'network' | 'requestedAt' | 'expiresAt'>,
): z.output<typeof PendingKeyImport> {
  return {
    api_key: row.key,
    network: row.network,
    requested_at: row.requestedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}
