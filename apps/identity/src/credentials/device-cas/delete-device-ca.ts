import { deleteDeviceCa } from '@bearing/contracts/identity/devices/device-ca'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { deviceCaNotFound } from './device-ca-row.js'

/** Keys that are deleted in one statement. */
const BATCH = 5_000

@Controller()
export class DeleteDeviceCa {
  constructor(private readonly database: Database) {}

  /** Its keys are refused with the commit; the batches after it only delete their rows. */
  @Handle(deleteDeviceCa)
  async execute(input: Input<typeof deleteDeviceCa>, by: Principal): Promise<Output<typeof deleteDeviceCa>> {
    const { organization_id: organizationId, project_id: projectId, device_ca_id: id } = input
    await this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const { count } = await transaction.deviceCa.deleteMany({ where: { id, organizationId, projectId } })
      if (count === 0) throw deviceCaNotFound()
      recordAudit(transaction, by, {
        ...{ action: 'device_ca.deleted', target: ['device_ca', id], organizationId },
        details: { project_id: projectId },
      })
      recordCredentialChange(transaction, `project:${projectId}`)
    })
    let deleted = BATCH
    while (deleted === BATCH)
      deleted = await this.database.$executeRaw`
        DELETE FROM device_keys WHERE id IN (
          SELECT id FROM device_keys WHERE device_ca_id = ${id}::uuid LIMIT ${BATCH}::integer
        )`
    return {}
  }
}
