import { normalizeRange } from '@bearing/access/address-ranges'
import { DAY_MS } from '@bearing/contracts/durations'
import { invalidInput } from '@bearing/contracts/errors'
import { KEY_IMPORT_DAYS, requestKeyImport } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, isUniqueViolation } from '../../ground/database.js'
import { requireAdministrator } from '../../organizations/members/require-admin.js'
import { keyTaken, requireUnusedKey } from '../../organizations/project-keys/require-unused-key.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { toKeyImport } from '../../organizations/project-keys/key-import-row.js'

/** Wider networks are those of whole providers: anybody could send the key from there. */
const LEAST_BITS = { ipv4: 16, ipv6: 32 }

@Controller()
export class RequestKeyImport {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(requestKeyImport)
  async execute(
    input: Input<typeof requestKeyImport>,
    by: Principal,
  ): Promise<Output<typeof requestKeyImport>> {
    const { organization_id: organizationId, project_id: projectId, api_key: key } = input
    const network = readNetwork(input.network)
    const now = this.clock.now()
    const expiresAt = new Date(now.getTime() + KEY_IMPORT_DAYS * DAY_MS)
    try {
      return await this.database.transaction(async (transaction) => {
        await requireAdministrator(transaction, organizationId, by, 'project-key:cycle')
        await refuseForeignProject(transaction, input)
        await requireUnusedKey(transaction, key)
        await transaction.projectKeyImport.deleteMany({
          where: { OR: [{ projectId }, { key, expiresAt: { lte: now } }] },
        })
        const row = await transaction.projectKeyImport.create({
          data: { projectId, organizationId, key, network, requestedAt: now, expiresAt },
        })
        recordAudit(transaction, by, {
          action: 'project_key.import_requested',
          target: ['project', projectId],
          organizationId,
          details: { project_id: projectId, network },
        })
        return toKeyImport(row)
      })
    } catch (error) {
      if (isUniqueViolation(error)) throw keyTaken()
      throw error
    }
  }
}

function readNetwork(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const range = normalizeRange(text)
  const bits = Number(range?.split('/')[1])
  const least = range?.includes(':') === true ? LEAST_BITS.ipv6 : LEAST_BITS.ipv4
  if (range === undefined || bits < least)
    throw invalidInput('/network', 'must be an IP address or a CIDR range of /16 or longer (IPv6: /32)')
  return range
}
