import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { PeopleModule } from '../people/people.module.js'
import { AuthorizeCredential } from './authorize-credential.js'
import { CheckCredential } from './checks/check-credential.js'
import { CheckDeviceCertificate } from './checks/check-device-certificate.js'
import { CheckDeviceToken } from './checks/check-device-token.js'
import { DeviceKeyRows } from './checks/device-key-rows.js'
import { CheckLegacyToken } from './checks/check-legacy-token.js'
import { CheckOrganizationToken } from './checks/check-organization-token.js'
import { CheckProjectKey } from './checks/check-project-key.js'
import { ImportOnFirstUse } from './checks/import-on-first-use.js'
import { CheckSession } from './checks/check-session.js'
import { CheckUser } from './checks/check-user.js'
import { RenewSecretHash } from './checks/renew-secret-hash.js'
import { GetJwks } from './claims/get-jwks.js'
import { IssueServiceClaims } from './claims/issue-service-claims.js'
import { jwksOf } from './claims/jwks.js'
import { SignClaims } from './claims/sign-claims.js'
import { RegisterJustInTime } from './checks/register-just-in-time.js'
import { VerifyDeviceCertificate } from './checks/verify-device-certificate.js'
import { VerifyDeviceToken } from './checks/verify-device-token.js'
import { IntrospectCredential } from './introspect-credential.js'
import { IntrospectionCache } from './introspection-cache.js'

/**
 * Introspection: finds out who holds a credential, caches the result for seconds, signs claims and decides what a
 * credential allows. Everything here only reads, except last use, hash renewal, the first use of a project key whose import was
 * requested, and keys of devices that register with their first request. It may import organizations, people and
 * ground; single sign-on uses its check of sessions.
 */
@Module({
  imports: [OrganizationsModule, PeopleModule],
  controllers: [IntrospectCredential, AuthorizeCredential, GetJwks, IssueServiceClaims],
  providers: [
    {
      provide: SignClaims,
      inject: [SETTINGS, Clock, Randomness],
      useFactory: (settings: Settings, clock: Clock, randomness: Randomness) =>
        SignClaims.with(settings.IDENTITY_SIGNING_KEYS[0], settings.CLAIMS_LIFETIME_S, clock, randomness),
    },
    {
      provide: ClaimsVerifier,
      inject: [SETTINGS],
      useFactory: (settings: Settings) =>
        new ClaimsVerifier(() => Promise.resolve(jwksOf(settings.IDENTITY_SIGNING_KEYS))),
    },
    ...[CheckCredential, CheckLegacyToken, CheckOrganizationToken, CheckProjectKey, CheckSession, CheckUser],
    ImportOnFirstUse,
    ...[CheckDeviceCertificate, VerifyDeviceCertificate, RegisterJustInTime],
    ...[CheckDeviceToken, DeviceKeyRows, VerifyDeviceToken, RenewSecretHash, IntrospectionCache],
  ],
  exports: [CheckSession],
})
export class IntrospectionModule {}
