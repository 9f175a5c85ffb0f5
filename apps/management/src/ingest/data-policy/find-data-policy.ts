import { findDataPolicy } from '@bearing/contracts/management/data/data-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { ChunkQuotas } from './chunk-quotas.js'
import { toDataPolicy } from './data-policy-row.js'

@Controller()
export class FindDataPolicy {
  constructor(
    private readonly database: Database,
    private readonly quotas: ChunkQuotas,
    private readonly clock: Clock,
  ) {}

  @Handle(findDataPolicy)
  async execute({
    project_id: projectId,
  }: Input<typeof findDataPolicy>): Promise<Output<typeof findDataPolicy>> {
    const day = new Date(this.clock.now().toISOString().slice(0, 10))
    const [policy, usage, organization] = await Promise.all([
      this.database.dataPolicy.findUnique({ where: { projectId } }),
      this.database.projectUsage.findUnique({ where: { projectId_day: { projectId, day } } }),
      this.organizationUsage(projectId, day),
    ])
    const own = toDataPolicy(policy)
    const { ofProject, ofOrganization } = this.quotas
    return {
      ...own,
      bytes_per_day: smaller(own.bytes_per_day, ofProject),
      bytes_today: Number(usage?.bytes ?? 0),
      ...(organization && { organization: { ...organization, bytes_per_day: ofOrganization } }),
    }
  }

  private async organizationUsage(
    projectId: string,
    day: Date,
  ): Promise<{ id: string; bytes_today: number } | undefined> {
    const [row] = await this.database.$queryRaw<{ id: string; bytes_today: number }[]>`
      SELECT p.organization_id AS id, coalesce(sum(u.bytes), 0)::float8 AS bytes_today
      FROM projects p LEFT JOIN project_usage u ON u.project_id = p.id AND u.day = ${day}::date
      WHERE p.organization_id = (SELECT organization_id FROM projects WHERE id = ${projectId}::uuid)
      GROUP BY 1`
    return row
  }
}

function smaller(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
