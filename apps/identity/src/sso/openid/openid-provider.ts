import { OperationError } from '@bearing/contracts/errors'
import { Email } from '@bearing/contracts/primitives'
import { Injectable } from '@nestjs/common'
import * as openid from 'openid-client'
import { z } from 'zod'
import { mergeClaims } from '../../ground/rules/merge-claims.js'
import type { ClientAuthentication } from '@bearing/contracts/identity/sso/sso-connection'
import type { ClientKey } from '../connections/client-keys.js'
import { ProviderHttp, ProviderReplyTooLarge, ProviderUnreachable } from './provider-http.js'
import { ProviderMetadata } from './provider-metadata.js'

/** Bearing's registration at a provider. */
export interface ProviderClient {
  readonly metadata: ProviderMetadata
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** The key that signs in instead of the secret, if any. */
  readonly clientKey?: ClientKey | undefined
}

export interface SignOnSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The parameters of the provider's redirect. */
export interface ProviderRedirect {
  readonly redirectUri: string
  readonly code: string
  readonly iss?: string | undefined
}

/** Allowed difference between the clocks of provider and Bearing, in seconds. */
const CLOCK_TOLERANCE_S = 30

/** Methods of which a provider must list one for each kind of client authentication, and the refusal if not. `none`: a public client. */
const CLIENT_AUTHENTICATION: Readonly<
  Record<ClientAuthentication, { readonly methods: readonly string[]; readonly refusal: string }>
> = {
  client_secret: {
    methods: ['client_secret_basic', 'client_secret_post', 'none'],
    refusal:
      'It takes no client secret: its metadata list neither client_secret_basic nor client_secret_post. If they list private_key_jwt, connect it with that as client_authentication.',
  },
  private_key_jwt: {
    methods: ['private_key_jwt'],
    refusal: 'It takes no signed JWT: its metadata do not list private_key_jwt.',
  },
}

/** Plain http, which ProviderHttp allows on this machine only. The library recognizes the function. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- not withdrawn: the library marks it against accidental use
const withoutTls: (configuration: openid.Configuration) => void = openid.allowInsecureRequests

/** The provider's id of a session, as text that Postgres takes. */
export const ProviderSid = z.string().regex(/^\P{Cc}{1,255}$/u)

/** The claims of a person who signed in at a provider. Malformed ones are left out, except the subject. */
export const ProviderClaims = z.object({
  // Text that Postgres takes; OpenID Connect Core §2 has the length.
  sub: z.string().regex(/^\P{Cc}{1,255}$/u),
  email: Email.optional().catch(undefined),
  // Some providers send text.
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
  /** The provider's id of its session (OpenID Connect Back-Channel Logout 1.0 §2.1). */
  sid: ProviderSid.optional().catch(undefined),
})
export type ProviderClaims = z.infer<typeof ProviderClaims> & {
  /** All claims, unchanged. */
  readonly all: Readonly<Record<string, unknown>>
}

/** The OpenID Connect client: the authorization code flow with PKCE (RFC 7636) and nonce. */
@Injectable()
export class OpenidProvider {
  constructor(private readonly http: ProviderHttp) {}

  /**
   * Reads the metadata of a provider.
   *
   * @param way how the client will authenticate; undefined if that was checked when it was connected
   * @throws OperationError `sso_provider_unusable`
   */
  async discover(issuer: string, way?: ClientAuthentication): Promise<ProviderMetadata> {
    try {
      const found = await openid.discovery(new URL(issuer), 'not registered yet', undefined, openid.None(), {
        [openid.customFetch]: this.http.fetch,
        ...(this.http.allowsPrivate && { execute: [withoutTls] }),
      })
      return this.usable(issuer, found.serverMetadata(), way)
    } catch (cause) {
      if (cause instanceof OperationError) throw cause
      throw unusable(`It did not respond as an OpenID provider with this issuer: ${describe(cause)}.`, cause)
    }
  }

  /** Returns the URL to send a browser to. */
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
   * Exchanges a code for claims, and verifies the ID token's signature, issuer, audience, nonce and times.
   *
   * @param wanted names of claims to read from the userinfo endpoint if the ID token lacks them
   * @throws OperationError `sso_failed` if anything is invalid, `service_unavailable` if the provider does not respond
   */
  async exchangeCode(
    client: ProviderClient,
    redirect: ProviderRedirect,
    secrets: SignOnSecrets,
    wanted: readonly string[],
  ): Promise<ProviderClaims> {
    try {
      const configuration = this.configuration(client)
      const url = new URL(redirect.redirectUri)
      url.searchParams.set('code', redirect.code)
      url.searchParams.set('state', secrets.state)
      if (redirect.iss !== undefined) url.searchParams.set('iss', redirect.iss)
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      })
      const claims = parse({ ...tokens.claims() })
      const lacksNothing = wanted.every((name) => claims.all[name] !== undefined)
      if (lacksNothing || client.metadata.userinfo_endpoint === undefined) return claims
      // Many providers keep the ID token small. The library refuses claims of another subject.
      const more = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return parse(mergeClaims(claims.all, more))
    } catch (cause) {
      if (causeOf(cause, ProviderUnreachable))
        throw new OperationError(
          'service_unavailable',
          'The identity provider does not respond. Sign in again shortly.',
          { retry_after: 5 },
          { cause },
        )
      throw new OperationError(
        'sso_failed',
        `The response of the identity provider was rejected: ${describe(cause)}.`,
        {},
        { cause },
      )
    }
  }

  private usable(issuer: string, found: unknown, way?: ClientAuthentication): ProviderMetadata {
    const { success, data: metadata } = ProviderMetadata.safeParse(found)
    if (!success) throw unusable('It lacks an endpoint, or signs its tokens with no accepted algorithm.')
    // The library accepts other issuers for two providers.
    if (metadata.issuer !== issuer) throw unusable('Its metadata name another issuer.')
    const { code_challenge_methods_supported: pkce = ['S256'] } = metadata
    if (!pkce.includes('S256')) throw unusable('It does not support PKCE with S256.')
    const { token_endpoint_auth_methods_supported: methods } = metadata
    const needed = way && CLIENT_AUTHENTICATION[way]
    if (methods && needed && !needed.methods.some((method) => methods.includes(method)))
      throw unusable(needed.refusal)
    for (const endpoint of [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.jwks_uri,
      ...(metadata.userinfo_endpoint === undefined ? [] : [metadata.userinfo_endpoint]),
    ])
      this.http.refuseHost(new URL(endpoint))
    return metadata
  }

  private configuration({
    metadata,
    clientId,
    clientSecret,
    clientKey,
  }: ProviderClient): openid.Configuration {
    const bySecret = clientSecret === undefined ? openid.None() : authenticationBy(metadata, clientSecret)
    const authentication = clientKey ? assertionBy(metadata, clientKey) : bySecret
    const configuration = new openid.Configuration(
      metadata as openid.ServerMetadata, // its optional fields are typed without undefined
      clientId,
      { [openid.clockTolerance]: CLOCK_TOLERANCE_S },
      authentication,
    )
    configuration[openid.customFetch] = this.http.fetch
    // Otherwise the library accepts any signature of tokens that come over TLS.
    openid.enableNonRepudiationChecks(configuration)
    if (this.http.allowsPrivate) withoutTls(configuration)
    return configuration
  }
}

/** Basic, which every provider must support (RFC 6749 §2.3.1), unless its metadata say otherwise. */
function authenticationBy(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ProviderMetadata,
  secret: string,
): openid.ClientAuth {
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? openid.ClientSecretBasic(secret)
    : openid.ClientSecretPost(secret)
}

/** A JWT that the client signs (RFC 7523), for the token endpoint: some providers accept no other audience. */
function assertionBy({ token_endpoint }: ProviderMetadata, { key, kid }: ClientKey): openid.ClientAuth {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  return openid.PrivateKeyJwt(
    { key: key.toCryptoKey(algorithm, false, ['sign']), kid },
    {
      [openid.modifyAssertion]: (_, payload) => {
        payload['aud'] = token_endpoint
      },
    },
  )
}

function parse(all: Readonly<Record<string, unknown>>): ProviderClaims {
  return { ...ProviderClaims.parse(all), all }
}

function unusable(why: string, cause?: unknown): OperationError {
  return new OperationError(
    'sso_provider_unusable',
    `The identity provider cannot be used. ${why}`,
    {},
    { cause },
  )
}

/** Describes an error with texts of the library, never with texts of the provider. */
function describe(error: unknown): string {
  if (causeOf(error, ProviderUnreachable)) return 'it could not be reached'
  const tooLarge = causeOf(error, ProviderReplyTooLarge)
  if (tooLarge) return tooLarge.message
  if (error instanceof openid.ResponseBodyError) return `the code was refused (${safeCode(error.error)})`
  if (error instanceof openid.ClientError) return error.message
  return 'it is malformed'
}

/** Returns the error code of a provider (RFC 6749 §4.1.2.1) if it is one: it may be any text. */
export function safeCode(code: string): string {
  return /^[a-z0-9_.-]{1,64}$/i.test(code) ? code : 'unknown'
}

/** Returns the error of a class among an error and its causes. */
function causeOf<Kind extends Error>(error: unknown, kind: new (...args: never[]) => Kind): Kind | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof kind) return at
  return undefined
}
