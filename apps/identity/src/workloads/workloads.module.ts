import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { PeopleModule } from '../people/people.module.js'
import { SsoModule } from '../sso/sso.module.js'
import { ChangeWorkloadTrust } from './change-workload-trust.js'
import { CreateWorkloadTrust } from './create-workload-trust.js'
import { DeleteWorkloadTrust } from './delete-workload-trust.js'
import { ExchangeLimit } from './exchange-limit.js'
import { ExchangeToken } from './exchange-token.js'
import { IssueTokens } from './issue-tokens.js'
import { ListWorkloadTrusts } from './list-workload-trusts.js'
import { TrustsOfIssuers } from './trusts-of-issuers.js'
import { VerifyWorkloadToken } from './verify-workload-token.js'

/**
 * Workloads without a stored secret: whose tokens an organization trusts, and their exchange for organization auth tokens that
 * end with the trust. A token of a workload is an ordinary one from then on. It may import single sign-on, for its guarded
 * client, credentials, organizations, people and ground.
 */
@Module({
  imports: [CredentialsModule, PeopleModule, SsoModule],
  controllers: [
    ListWorkloadTrusts,
    CreateWorkloadTrust,
    ChangeWorkloadTrust,
    DeleteWorkloadTrust,
    ExchangeToken,
  ],
  providers: [ExchangeLimit, IssueTokens, TrustsOfIssuers, VerifyWorkloadToken],
})
export class WorkloadsModule {}
