import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, exportJWK, exportSPKI, generateKeyPair, type CryptoKey } from 'jose'

/** The person that signs in at the provider next. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  /** Further claims. */
  readonly [claim: string]: unknown
}

/** Forbidden behavior of the provider. */
export interface Lies {
  /** Issuer in the discovery document. */
  readonly discoveredIssuer?: string
  readonly pkceMethods?: readonly string[]
  readonly tokenEndpoint?: string
  /** `iss` beside the code. Null: left out, although the provider says that it sends it. */
  readonly responseIssuer?: string | null
  /** Changes the ID token's claims. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** `none`: unsigned. `HS256`: with the public key as secret. `outsider`: with another key. */
  readonly signature?: 'none' | 'HS256' | 'outsider'
  /** Answers a request to the token endpoint, instead of tokens. */
  readonly token?: (reply: ServerResponse) => void
}

/** Setup of the provider, which may change after it was connected. */
export interface ProviderSetup {
  readonly algorithm?: 'ES256'
  /** Path below which the endpoints are, except the discovery document. */
  readonly path?: string
  /** Claims that the userinfo endpoint returns besides the subject. Missing: there is no such endpoint. */
  readonly userinfo?: Readonly<Record<string, unknown>>
  readonly clientAuthentication?: readonly string[]
}

interface KeyPair {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

interface Code {
  readonly person: Person
  readonly nonce: string
  readonly challenge: string
  readonly clientId: string
}

/** An OpenID provider that signs in the given person without asking, and sends the given lies. */
export class FakeProvider {
  person: Person = { sub: randomUUID() }
  lies: Lies = {}
  setup: ProviderSetup = {}
  readonly clientId = 'bearing'
  readonly clientSecret = `secret-${randomUUID()}`
  /** Parameters of the last request to the authorization endpoint. */
  lastRequest = new URLSearchParams()
  /** Every code and token that it has given out, and what came with the codes. */
  readonly secrets: string[] = []
  private readonly codes = new Map<string, Code>()

  private constructor(
    private readonly server: Server,
    private readonly keysOf: Readonly<Record<'RS256' | 'ES256', KeyPair>>,
  ) {}

  static async start(): Promise<FakeProvider> {
    const options = { extractable: true }
    const keys = {
      RS256: await generateKeyPair('RS256', options),
      ES256: await generateKeyPair('ES256', options),
    }
    const server = createServer()
    const provider = new FakeProvider(server, keys)
    server.on('request', (request, reply) => {
      provider.answer(request, reply).catch(() => reply.writeHead(500).end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  /** A logout token. @param claims replace those that it has */
  logoutToken(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const all = {
      ...{ iss: this.issuer, aud: this.clientId, iat: now, exp: now + 120, jti: randomUUID() },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    }
    const alg = this.algorithm
    return new SignJWT(all)
      .setProtectedHeader({ alg, kid: alg, typ: 'logout+jwt' })
      .sign(this.keys.privateKey)
  }

  private get algorithm() {
    return this.setup.algorithm ?? 'RS256'
  }

  private get keys(): KeyPair {
    return this.keysOf[this.algorithm]
  }

  get issuer(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}` // it listens
  }

  stop(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private async answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.issuer)
    if (url.pathname === '/.well-known/openid-configuration') {
      json(reply, this.discovery())
      return
    }
    const { path = '' } = this.setup
    switch (url.pathname.startsWith(path) ? url.pathname.slice(path.length) : undefined) {
      case '/jwks': {
        const key = await exportJWK(this.keys.publicKey)
        json(reply, { keys: [{ ...key, kid: this.algorithm, alg: this.algorithm, use: 'sig' }] })
        return
      }
      case '/userinfo':
        json(reply, { sub: this.person.sub, ...this.setup.userinfo })
        return
      case '/authorize':
        this.authorize(url.searchParams, reply)
        return
      case '/token':
        return this.token(request, await bodyOf(request), reply)
      default:
        reply.writeHead(404).end()
    }
  }

  private discovery() {
    const { path = '', userinfo, clientAuthentication: methods } = this.setup
    const base = this.issuer + path
    return {
      issuer: this.lies.discoveredIssuer ?? this.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: this.lies.tokenEndpoint ?? `${base}/token`,
      jwks_uri: `${base}/jwks`,
      ...(userinfo && { userinfo_endpoint: `${base}/userinfo` }),
      ...(methods && { token_endpoint_auth_methods_supported: methods }),
      response_types_supported: ['code'],
      // It says that it takes anything.
      id_token_signing_alg_values_supported: [this.algorithm, 'HS256', 'none'],
      code_challenge_methods_supported: this.lies.pkceMethods ?? ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  private authorize(asked: URLSearchParams, reply: ServerResponse): void {
    this.lastRequest = asked
    const code = randomUUID()
    this.codes.set(code, {
      person: this.person,
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      clientId: asked.get('client_id') ?? '',
    })
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    const { responseIssuer = this.issuer } = this.lies
    if (responseIssuer !== null) back.searchParams.set('iss', responseIssuer)
    reply.writeHead(302, { location: back.href }).end()
  }

  private async token(request: IncomingMessage, body: URLSearchParams, reply: ServerResponse): Promise<void> {
    if (this.lies.token) {
      this.lies.token(reply)
      return
    }
    const code = this.codes.get(body.get('code') ?? '')
    this.codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || secretOf(request) !== this.clientSecret) {
      json(reply, { error: 'invalid_grant' }, 400)
      return
    }
    const [accessToken, idToken] = [randomUUID(), await this.idToken(code)]
    this.secrets.push(
      accessToken,
      idToken,
      body.get('code') ?? '',
      body.get('code_verifier') ?? '',
      code.nonce,
    )
    json(reply, { access_token: accessToken, token_type: 'Bearer', id_token: idToken })
  }

  private async idToken({ person, nonce, clientId }: Code): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: this.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...person,
      ...this.lies.claims,
    }
    const { signature } = this.lies
    if (signature === 'none') return `${encode({ alg: 'none' })}.${encode(claims)}.`
    if (signature === 'HS256') {
      const key = new TextEncoder().encode(await exportSPKI(this.keys.publicKey))
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: this.algorithm }).sign(key)
    }
    const alg = this.algorithm
    const { privateKey } = signature === 'outsider' ? await generateKeyPair(alg) : this.keys
    return new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).sign(privateKey)
  }
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function json(reply: ServerResponse, body: unknown, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Of Basic, where both parts are encoded as in a form first (RFC 6749 §2.3.1). */
function secretOf({ headers }: IncomingMessage): string {
  const [, encoded = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? []
  return decodeURIComponent(Buffer.from(encoded, 'base64').toString().split(':')[1] ?? '')
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // bytes, since no encoding is set
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
