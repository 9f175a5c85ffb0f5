import { Module } from '@nestjs/common'
import { AccountsWing } from './accounts/accounts.module.js'
import { CredentialsWing } from './credentials/credentials.module.js'
import { GroundWing } from './ground/ground.module.js'
import { IntrospectionWing } from './introspection/introspection.module.js'
import { OrganizationsWing } from './organizations/organizations.module.js'
import { PeopleWing } from './people/people.module.js'
import { SsoWing } from './sso/sso.module.js'

/** The wings of the identity service, top to bottom. */
@Module({
  imports: [
    AccountsWing,
    SsoWing,
    CredentialsWing,
    IntrospectionWing,
    OrganizationsWing,
    PeopleWing,
    GroundWing,
  ],
})
export class IdentityModule {}
