import { Module } from '@nestjs/common'
import { AccountsModule } from './accounts/accounts.module.js'
import { CredentialsModule } from './credentials/credentials.module.js'
import { GroundModule } from './ground/ground.module.js'
import { IntrospectionModule } from './introspection/introspection.module.js'
import { OrganizationsModule } from './organizations/organizations.module.js'
import { PeopleModule } from './people/people.module.js'
import { SsoModule } from './sso/sso.module.js'
import { WorkloadsModule } from './workloads/workloads.module.js'

/** The wings of the identity service, top to bottom. */
@Module({
  imports: [
    AccountsModule,
    WorkloadsModule,
    SsoModule,
    CredentialsModule,
    IntrospectionModule,
    OrganizationsModule,
    PeopleModule,
    GroundModule,
  ],
})
export class IdentityModule {}
