import { z } from 'zod'
import { operation, type Operation } from '../../operation.js'
import { Nothing } from '../../primitives.js'
import { AUDIT_ACTIONS, type AuditedService } from './audit-actions.js'
import { AuditEvent } from './audit-log.js'

// Apart from the operations of people: pages load those without the sentences of all actions.

/**
 * Hands a row over that a service has written in its own transaction. One operation for each service, so that NATS says
 * whose row it is: a service may call its own and no other.
 */
export const appendAuditEvent = {
  management: appendOf('management'),
  location: appendOf('location'),
} as const satisfies Readonly<Record<Exclude<AuditedService, 'identity'>, Operation>>

function appendOf(service: Exclude<AuditedService, 'identity'>) {
  return operation({
    subject: `identity.v1.${service}-audit-deed.append`,
    summary: `Append an audit event of ${service} to the audit log`,
    description: 'A row that is there already changes nothing.',
    input: AuditEvent.extend({ action: z.enum(Object.keys(AUDIT_ACTIONS[service])) }),
    output: Nothing,
    errors: [],
    permission: 'internal',
  })
}
