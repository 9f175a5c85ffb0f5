import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { CreateOrganizationFor } from './organizations/create-organization-for.js'
import { CreateOrganization } from './organizations/create-organization.js'
import { FindCreator } from './organizations/find-creator.js'
import { NewOrganizations } from './organizations/new-organizations.js'
import { FindOnlyProject } from './find-only-project.js'
import { ListOrganizations } from './organizations/list-organizations.js'
import { OrganizationLimits } from './organizations/organization-limits.js'
import { RenameOrganization } from './organizations/rename-organization.js'
import { ShowOrganization } from './organizations/show-organization.js'
import { CreatePartnerOrganization } from './partner/create-partner-organization.js'
import { RequestPartnerLink } from './partner/request-partner-link.js'
import { CreateProject } from './projects/create-project.js'
import { ListProjects } from './projects/list-projects.js'
import { RenameProject } from './projects/rename-project.js'
import { ShowProject } from './projects/show-project.js'
import { ShowOrganizationUsage } from './usage/show-organization-usage.js'
import { OverviewReader } from './usage/overview.js'
import { ShowOverview } from './usage/show-overview.js'
import { ShowProjectOverview } from './usage/show-project-overview.js'
import { SweepUsage } from './usage/sweep-usage.js'
import { ResolveScope } from './resolve-scope.js'

/**
 * Organizations and projects: their names, slugs, limits and usage. Their members are in identity; this wing asks identity
 * before it creates one. Higher wings may check that a project belongs to an organization, and the limits. It imports only
 * `ground`.
 */
@Module({
  controllers: [
    CreateOrganization,
    CreateOrganizationFor,
    FindCreator,
    CreatePartnerOrganization,
    CreateProject,
    FindOnlyProject,
    ListOrganizations,
    ListProjects,
    RenameOrganization,
    RenameProject,
    RequestPartnerLink,
    ResolveScope,
    ShowOrganization,
    ShowOrganizationUsage,
    ShowOverview,
    ShowProject,
    ShowProjectOverview,
  ],
  providers: [
    NewOrganizations,
    OverviewReader,
    SweepUsage,
    {
      provide: OrganizationLimits,
      useFactory: (settings: Settings) =>
        new OrganizationLimits(settings.PROJECTS_PER_ORGANIZATION, settings.DEVICES_PER_ORGANIZATION),
      inject: [SETTINGS],
    },
  ],
  exports: [OrganizationLimits],
})
export class TenancyModule {}
