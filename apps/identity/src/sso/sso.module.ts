import { Metrics } from '@bearing/service/observe/metrics'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { IntrospectionModule } from '../introspection/introspection.module.js'
import { PeopleModule } from '../people/people.module.js'
import { ChangeSsoConnection } from './connections/change-sso-connection.js'
import { ClientKeys } from './connections/client-keys.js'
import { ClientSecrets } from './connections/client-secrets.js'
import { CreateSsoConnection } from './connections/create-sso-connection.js'
import { DeleteSsoConnection } from './connections/delete-sso-connection.js'
import { ListSsoConnections } from './connections/list-sso-connections.js'
import { OutboundRequestLimit } from './connections/outbound-request-limit.js'
import { ShowClientKeys } from './connections/show-client-keys.js'
import { ShowSsoConnection } from './connections/show-sso-connection.js'
import { AddSsoDomain } from './domains/add-sso-domain.js'
import { DeleteSsoDomain } from './domains/delete-sso-domain.js'
import { ListSsoDomains } from './domains/list-sso-domains.js'
import { TxtRecords } from './domains/txt-records.js'
import { VerifySsoDomain } from './domains/verify-sso-domain.js'
import { DeleteSsoIdentity } from './identities/delete-sso-identity.js'
import { ListSsoIdentities } from './identities/list-sso-identities.js'
import { CurrentMetadata } from './openid/current-metadata.js'
import { IssuerKeys } from './openid/issuer-keys.js'
import { OpenidProvider } from './openid/openid-provider.js'
import { ProviderHttp } from './openid/provider-http.js'
import { CreatePartnerConnection } from './partner-connections/create-partner-connection.js'
import { DeletePartnerConnection } from './partner-connections/delete-partner-connection.js'
import { ListPartnerConnections } from './partner-connections/list-partner-connections.js'
import { ConfirmPartnerLink } from './partner-links/confirm-partner-link.js'
import { ListPartnerLinks } from './partner-links/list-partner-links.js'
import { RefusePartnerLink } from './partner-links/refuse-partner-link.js'
import { AssignPartnerOrganization } from './partner-teams/assign-partner-organization.js'
import { EnterTeam } from './partner-teams/enter-team.js'
import { RecordPartnerLinkRequest } from './partner-teams/record-partner-link-request.js'
import { ShowPartnerTeam } from './partner-teams/show-partner-team.js'
import { ReadScim } from './scim/read-scim.js'
import { WriteScim } from './scim/write-scim.js'
import { ChangeSignInPolicy } from './sign-in-policy/change-sign-in-policy.js'
import { ReleaseSsoRule } from './sign-in-policy/release-sso-rule.js'
import { ShowSignInPolicy } from './sign-in-policy/show-sign-in-policy.js'
import { BeginLink } from './sign-on/begin-link.js'
import { BeginSignOn } from './sign-on/begin-sign-on.js'
import { CodeExchangeLimit } from './sign-on/code-exchange-limit.js'
import { CompleteSignOn } from './sign-on/complete-sign-on.js'
import { FollowEmail } from './sign-on/follow-email.js'
import { LinkOrCreateAccount } from './sign-on/link-or-create-account.js'
import { ListSignInOptions } from './sign-on/list-sign-in-options.js'
import { LogOutAtProvider } from './sign-on/log-out-at-provider.js'
import { SignOnAttempts } from './sign-on/sign-on-attempts.js'

/** Timeout of one request to an identity provider; a sign-on sends up to three. */
const PROVIDER_TIMEOUT_MS = 5_000
/** Maximum size of a provider's response. Key sets are the largest: some kilobytes. */
const PROVIDER_MAX_BYTES = 262_144

/**
 * Single sign-on with OpenID Connect: connections of organizations and partners, verified domains, sign-ons, linked
 * identities, partner teams, and which sign-in an organization requires. All outbound requests of identity start here, each
 * behind a concurrency limit. It may import credentials, introspection, organizations, people and ground.
 */
@Module({
  imports: [PeopleModule, IntrospectionModule],
  controllers: [
    ShowClientKeys,
    ...[ListSsoConnections, ShowSsoConnection, CreateSsoConnection, ChangeSsoConnection, DeleteSsoConnection],
    ...[ListSsoDomains, AddSsoDomain, VerifySsoDomain, DeleteSsoDomain],
    ...[
      ListSignInOptions,
      BeginSignOn,
      BeginLink,
      CompleteSignOn,
      LogOutAtProvider,
      ListSsoIdentities,
      DeleteSsoIdentity,
    ],
    ...[ReadScim, WriteScim],
    ...[ShowSignInPolicy, ChangeSignInPolicy, ReleaseSsoRule],
    ...[CreatePartnerConnection, ListPartnerConnections, DeletePartnerConnection],
    ...[ShowPartnerTeam, AssignPartnerOrganization, RecordPartnerLinkRequest],
    ...[ListPartnerLinks, ConfirmPartnerLink, RefusePartnerLink],
  ],
  providers: [
    {
      provide: ProviderHttp,
      inject: [SETTINGS, Metrics],
      useFactory: ({ SSO_ALLOW_PRIVATE_ISSUERS: allowPrivate }: Settings, metrics: Metrics) =>
        new ProviderHttp(
          { allowPrivate, timeoutMs: PROVIDER_TIMEOUT_MS, maxBytes: PROVIDER_MAX_BYTES },
          metrics.outgoing('sso_provider'),
        ),
    },
    TxtRecords,
    ...[
      OpenidProvider,
      IssuerKeys,
      CurrentMetadata,
      ClientSecrets,
      ClientKeys,
      OutboundRequestLimit,
      CodeExchangeLimit,
    ],
    ...[SignOnAttempts, LinkOrCreateAccount, FollowEmail, EnterTeam],
  ],
  exports: [IssuerKeys, ProviderHttp],
})
export class SsoModule {}
