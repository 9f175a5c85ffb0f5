import { BearingGuard, BearingHealth, Caller, ClaimsGuard, Requires, type Principal } from '@bearing/nestjs'
import { Controller, Get, Param, UseGuards } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'

/** The organization and project of a message. */
interface Report {
  readonly organization_id: string
  readonly project_id: string
}

/** Reports about projects. */
@Controller()
export class ReportsController {
  constructor(private readonly health: BearingHealth) {}

  /** For anyone who may read the devices of the project. */
  @Get('organizations/:organization_id/projects/:project_id/report')
  @UseGuards(BearingGuard)
  @Requires('device:read')
  report(@Caller() caller: Principal, @Param('project_id') project: string) {
    return { project, for: caller.kind }
  }

  /** For callers whose claims a gateway or another service has passed on. */
  @Get('organizations/:organization_id/projects')
  @UseGuards(ClaimsGuard)
  @Requires('project:list')
  projects(@Caller() caller: Principal) {
    return { for: caller.kind }
  }

  @MessagePattern('reports.show')
  @UseGuards(BearingGuard)
  @Requires('device:read')
  show(@Payload() { project_id: project }: Report, @Caller() caller: Principal) {
    return { project, for: caller.kind }
  }

  @Get('health')
  healthy() {
    return this.health.isHealthy('bearing')
  }
}
