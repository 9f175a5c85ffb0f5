import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, OrganizationScope, PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { AuditEntry } from './audit-log.js'

export const AuditCheckpoint = z
  .object({
    size: z.int().min(1).describe('Rows of the chain at that time: the sequence of the last one.'),
    at: Timestamp.describe('When it was signed. Not part of what is signed.'),
    note: z
      .string()
      .describe(
        'A signed note (C2SP tlog-checkpoint): origin, size, and the hash of the last row in base64, signed with Ed25519.',
      ),
  })
  .meta({ id: 'AuditCheckpoint' })

export const listAuditCheckpoints = operation({
  subject: 'identity.v1.audit-checkpoint.list',
  summary: 'List the signed checkpoints of the audit log of an organization',
  description:
    'Newest first. The head of the chain is signed every minute if it moved, with a key that the database does not hold. Those of 24 hours are kept, then the last one of each day. Store a checkpoint elsewhere: `bearing audit-log verify --against` then proves that nothing before it was changed or cut off.',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(AuditCheckpoint).extend({
    verification_keys: z
      .array(z.string())
      .describe('Keys that verify the notes, as `<origin>+<key id>+<key>`. Keep them with the checkpoints.'),
  }),
  errors: [],
  permission: 'audit-log:read',
})

/** The most rows in one delivery to a sink. */
export const MAX_SINK_ROWS = 500

export const readAuditEntries = operation({
  subject: 'identity.v1.audit-entry.read',
  summary: 'Read the audit log after a row, for sinks',
  input: z.object({
    organization_id: Id.nullable().describe('Null: all chains, for sinks of the operator.'),
    after: z.int().min(0).describe('The position of the last row that the sink has.'),
    limit: z.int().min(1).max(MAX_SINK_ROWS),
  }),
  output: z.object({
    data: z.array(AuditEntry),
    positions: z
      .array(z.int().min(1))
      .describe('Of each row: its sequence in the chain, or its place among the rows of all chains.'),
    length: z.int().min(0).describe('The position of the last row.'),
    checkpoints: z.array(z.string()).describe('The newest signed note of each chain that has rows here.'),
  }),
  errors: [],
  permission: 'internal',
})
