import { OperationError } from '@bearing/contracts/errors'
import {
  MAX_ATTRIBUTES,
  declareAttribute,
  type AttributeType,
} from '@bearing/contracts/management/devices/device-attribute'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../../ground/database.js'
import { lockProject } from '../../../ground/locks.js'
import { recordAudit } from '../../../ground/record-audit.js'
import { requireProject } from '../../../tenancy/projects/require-project.js'

/** Converts a row for replies. */
export function toAttribute(row: { readonly name: string; readonly type: string; readonly createdAt: Date }) {
  const type = row.type as AttributeType // checked by the database
  return { name: row.name, type, created_at: row.createdAt.toISOString() }
}

@Controller()
export class DeclareAttribute {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(declareAttribute)
  async execute(
    input: Input<typeof declareAttribute>,
    by: Principal,
  ): Promise<Output<typeof declareAttribute>> {
    const { project_id: projectId, attribute: name, type } = input
    return this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      await lockProject(transaction, projectId)
      const rows = await transaction.declaredAttribute.findMany({ where: { projectId } })
      const declared = rows.filter(({ deletedAt }) => deletedAt === null)
      const existing = declared.find((row) => row.name === name)
      if (existing?.type === type) return toAttribute(existing)
      if (existing)
        throw new OperationError(
          'attribute_conflict',
          `The attribute "${name}" is a ${existing.type}. Delete it first; that deletes its values.`,
        )
      if (declared.length >= MAX_ATTRIBUTES) throw tooMany(declared.length)
      // Numbers of deleted attributes are free once their values are deleted.
      const number = Math.max(0, ...rows.map((row) => row.number)) + 1
      const row = { projectId, number, name, type, createdAt: this.clock.now() }
      await transaction.declaredAttribute.create({ data: row })
      recordAudit(transaction, by, {
        action: 'device_attribute.declared',
        target: ['project', projectId],
        organizationId: input.organization_id,
        details: { name, type },
      })
      return toAttribute(row)
    })
  }
}

function tooMany(used: number): OperationError {
  return new OperationError(
    'quota_exceeded',
    `The project has too many attributes: at most ${String(MAX_ATTRIBUTES)}. Delete one first; the limit is fixed.`,
    {
      quota: {
        resource: 'device_attributes',
        limit: MAX_ATTRIBUTES,
        used,
        scope: 'project',
        raised_by: 'nobody',
      },
    },
  )
}
