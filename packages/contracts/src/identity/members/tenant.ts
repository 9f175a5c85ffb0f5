import { z } from 'zod'
import { operation } from '../../operation.js'
import { Nothing, Timestamp } from '../../primitives.js'
import { TenantScope, eraseTenantOf } from '../../tenant-scope.js'

/**
 * Stops or restores the credentials of an organization or a project. Management repeats the call until identity has answered,
 * so a process of identity that was away learns of it when it is back.
 */
export const setTenantState = operation({
  subject: 'identity.v1.tenant.set-state',
  summary: 'Stop or restore the credentials of an organization or project',
  input: z.object({
    ...TenantScope,
    state: z.enum(['active', 'stopped']),
    version: z
      .int()
      .min(1)
      .describe(
        'Grows with every change of state. A change that is older than the present state is ignored.',
      ),
    deleted_at: Timestamp.nullable().describe('When it was deleted, for the reply to its callers.'),
    erase_after: Timestamp.nullable(),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

export const eraseTenantIdentity = eraseTenantOf('identity')
