import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { AccountDeletion } from './account-deletion.js'
import { DeleteOwnAccount } from './delete-own-account.js'
import { DeleteUser } from './delete-user.js'
import { EraseTenant } from './erase-tenant.js'

/**
 * The deletion of whole accounts: it ends the sessions, memberships, identities and requests of a user, which belong to
 * other wings, in one transaction; and the erasure of what identity has of organizations and projects. No other wing deletes
 * users. It may import every other wing.
 */
@Module({
  imports: [PeopleModule],
  controllers: [DeleteUser, DeleteOwnAccount, EraseTenant],
  providers: [AccountDeletion],
})
export class AccountsModule {}
