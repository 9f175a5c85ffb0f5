import { Module } from '@nestjs/common'
import { PeopleWing } from '../people/people.module.js'
import { AccountDeletion } from './account-deletion.js'
import { DeleteOwnAccount } from './delete-own-account.js'
import { DeleteUser } from './delete-user.js'

/**
 * The deletion of whole accounts: it ends the sessions, memberships, identities and requests of a user, which belong to
 * other wings, in one transaction. No other wing deletes users. It may import every other wing.
 */
@Module({
  imports: [PeopleWing],
  controllers: [DeleteUser, DeleteOwnAccount],
  providers: [AccountDeletion],
})
export class AccountsWing {}
