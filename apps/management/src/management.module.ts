import { NatsClient } from '@bearing/nats/client'
import { Module, type DynamicModule } from '@nestjs/common'
import { ResolveAddress } from './addresses/resolve-address.js'
import { AuditLog } from './audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from './database.js'
import { CreateOrganization } from './organizations/create-organization.js'
import { ListOrganizations } from './organizations/list-organizations.js'
import { CreatePartnerOrganization } from './partner/create-partner-organization.js'
import { RequestPartnerLink } from './partner/request-partner-link.js'
import { CreateProject } from './projects/create-project.js'
import { ListProjects } from './projects/list-projects.js'
import { ShowProject } from './projects/show-project.js'
import { Randomness } from '@bearing/service/randomness'

/** What the operations work with, made once when the service starts. */
export interface Parts {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly database: Database
  readonly client: NatsClient
}

/** The operations of the management service. */
@Module({
  controllers: [
    ResolveAddress,
    ListOrganizations,
    CreateOrganization,
    CreatePartnerOrganization,
    RequestPartnerLink,
    ListProjects,
    CreateProject,
    ShowProject,
  ],
  providers: [AuditLog],
})
export class ManagementModule {
  /** The module with its parts. */
  static with(parts: Parts): DynamicModule {
    return {
      module: ManagementModule,
      providers: [
        { provide: Clock, useValue: parts.clock },
        { provide: Randomness, useValue: parts.randomness },
        { provide: Database, useValue: parts.database },
        { provide: NatsClient, useValue: parts.client },
      ],
    }
  }
}
