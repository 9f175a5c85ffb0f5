import { OperationError } from '@bearing/contracts/errors'
import { Email } from '@bearing/contracts/primitives'
import { Injectable } from '@nestjs/common'
import * as openid from 'openid-client'
import { z } from 'zod'
import { mergeClaims } from '../../ground/rules/merge-claims.js'
import { ProviderHttp, ProviderUnreachable } from './provider-http.js'
import { ProviderMetadata } from './provider-metadata.js'

/** What we are at a provider. */
export interface ProviderClient {
  readonly metadata: ProviderMetadata
  readonly clientId: string
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined
}

/** What only the browser that began and we know of a sign-on. */
export interface SignOnSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The answer of the provider, as it stands in the redirect. */
export interface ProviderAnswer {
  readonly redirectUri: string
  readonly code: string
  readonly iss?: string | undefined
}

/** Clocks of providers and ours may differ by so much, in seconds. */
const CLOCK_TOLERANCE_S = 30

/** Plain http, of which ProviderHttp allows what is on this machine only. The library knows it by the function itself. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- not withdrawn: the library marks it so that nobody takes it by accident
const withoutTls: (configuration: openid.Configuration) => void = openid.allowInsecureRequests

/** Who has signed in at a provider. What is not well formed is left out, but for the subject. */
export const ArrivedClaims = z.object({
  // Text that Postgres takes; OpenID Connect Core §2 has the length.
  sub: z.string().regex(/^\P{Cc}{1,255}$/u),
  email: Email.optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
})
export type ArrivedClaims = z.infer<typeof ArrivedClaims> & {
  /** Everything that was said, as it was said. */
  readonly all: Readonly<Record<string, unknown>>
}

/** Speaks OpenID Connect with providers: the authorization code flow with PKCE (RFC 7636) and nonce. */
@Injectable()
export class OpenidProvider {
  constructor(private readonly http: ProviderHttp) {}

  /**
   * What a provider says of itself.
   *
   * @throws OperationError `sso_provider_unusable`
   */
  async discover(issuer: string): Promise<ProviderMetadata> {
    try {
      const found = await openid.discovery(new URL(issuer), 'not registered yet', undefined, openid.None(), {
        [openid.customFetch]: this.http.fetch,
        ...(this.http.allowsPrivate && { execute: [withoutTls] }),
      })
      return this.usable(issuer, found.serverMetadata())
    } catch (cause) {
      if (cause instanceof OperationError) throw cause
      throw unusable(`It did not answer as an OpenID provider with this issuer: ${told(cause)}.`, cause)
    }
  }

  /** Where to send a browser. */
  authorizationUrl(
    client: ProviderClient,
    redirectUri: string,
    scopes: readonly string[],
    challenge: {
      readonly state: string
      readonly nonce: string
      readonly codeChallenge: string
    },
  ): string {
    return openid.buildAuthorizationUrl(this.configuration(client), {
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: challenge.codeChallenge,
      code_challenge_method: 'S256',
    }).href
  }

  /**
   * Who has signed in: redeems the code, and checks the ID token's signature, issuer, audience, nonce and times.
   *
   * @param wanted names of claims that are asked for once more where the ID token lacks them
   * @throws OperationError `sso_failed` where anything of it is not right, `service_unavailable` where it cannot be told
   */
  async redeem(
    client: ProviderClient,
    answer: ProviderAnswer,
    secrets: SignOnSecrets,
    wanted: readonly string[],
  ): Promise<ArrivedClaims> {
    try {
      const configuration = this.configuration(client)
      const url = new URL(answer.redirectUri)
      url.searchParams.set('code', answer.code)
      url.searchParams.set('state', secrets.state)
      if (answer.iss !== undefined) url.searchParams.set('iss', answer.iss)
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      })
      const claims = arrived({ ...tokens.claims() })
      const lacksNothing = wanted.every((name) => claims.all[name] !== undefined)
      if (lacksNothing || client.metadata.userinfo_endpoint === undefined) return claims
      // Many providers keep the ID token small. The answer is refused where it is about somebody else.
      const more = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return arrived(mergeClaims(claims.all, more))
    } catch (cause) {
      if (isUnreachable(cause))
        throw new OperationError(
          'service_unavailable',
          'The identity provider could not be asked. Sign in again shortly.',
          { retry_after: 5 },
          { cause },
        )
      throw new OperationError(
        'sso_failed',
        `The answer of the identity provider is not accepted: ${told(cause)}.`,
        {},
        { cause },
      )
    }
  }

  private usable(issuer: string, found: unknown): ProviderMetadata {
    const { success, data: metadata } = ProviderMetadata.safeParse(found)
    if (!success)
      throw unusable('It lacks an endpoint, or signs its tokens with no algorithm that is accepted.')
    // The library makes exceptions for two providers.
    if (metadata.issuer !== issuer) throw unusable('It calls itself by another issuer.')
    const { code_challenge_methods_supported: pkce = ['S256'] } = metadata
    if (!pkce.includes('S256')) throw unusable('It does not take PKCE with S256.')
    for (const endpoint of [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.jwks_uri,
      ...(metadata.userinfo_endpoint === undefined ? [] : [metadata.userinfo_endpoint]),
    ])
      this.http.refuseHost(new URL(endpoint))
    return metadata
  }

  private configuration({ metadata, clientId, clientSecret }: ProviderClient): openid.Configuration {
    const authentication =
      clientSecret === undefined ? openid.None() : authenticationBy(metadata, clientSecret)
    const configuration = new openid.Configuration(
      metadata as openid.ServerMetadata, // its optional fields are typed without undefined
      clientId,
      { [openid.clockTolerance]: CLOCK_TOLERANCE_S },
      authentication,
    )
    configuration[openid.customFetch] = this.http.fetch
    // Without this the library believes what comes from the token endpoint over TLS, whatever its signature.
    openid.enableNonRepudiationChecks(configuration)
    if (this.http.allowsPrivate) withoutTls(configuration)
    return configuration
  }
}

/** Basic is what every provider has to take (RFC 6749 §2.3.1), unless it says otherwise. */
function authenticationBy(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ProviderMetadata,
  secret: string,
): openid.ClientAuth {
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? openid.ClientSecretBasic(secret)
    : openid.ClientSecretPost(secret)
}

function arrived(all: Readonly<Record<string, unknown>>): ArrivedClaims {
  return { ...ArrivedClaims.parse(all), all }
}

function unusable(why: string, cause?: unknown): OperationError {
  return new OperationError(
    'sso_provider_unusable',
    `The identity provider cannot be used. ${why}`,
    {},
    { cause },
  )
}

/** What may be told of an error: the library's own words and codes, and nothing that the provider has said. */
function told(error: unknown): string {
  if (isUnreachable(error)) return 'it could not be reached'
  if (error instanceof openid.ResponseBodyError) return `the code was refused (${safeCode(error.error)})`
  if (error instanceof openid.ClientError) return error.message
  return 'it is not well formed'
}

/** An error code of a provider (RFC 6749 §4.1.2.1), or a word in its place: it may be anything. */
export function safeCode(code: string): string {
  return /^[a-z0-9_.-]{1,64}$/i.test(code) ? code : 'unknown'
}

function isUnreachable(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof ProviderUnreachable) return true
  return false
}
