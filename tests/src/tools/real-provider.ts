import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

/** Path of a page with a link, as a console of a partner has it. */
const CONSOLE = '/console'

/** `oidc-provider`, with people who sign in by their name alone. */
export class RealProvider implements AsyncDisposable {
  /** The name of the person at a browser that comes without one. */
  person = 'grace'
  /** Further claims about everybody, such as the team at a partner. */
  claims: Readonly<Record<string, string>> = {}
  readonly clientId = 'bearing'
  readonly clientSecret = randomUUID()
  readonly domain = `d-${randomUUID()}.example`
  /** The URL of Bearing's keys: then it takes only assertions that are signed with one (RFC 7523). */
  private jwksUri: string | undefined
  private readonly redirectUris: string[] = ['http://127.0.0.1/none/yet']

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** @param host name of this machine in the issuer: with `localhost`, browsers see another site than that of the gateway */
  static async start(host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<RealProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    const provider = new RealProvider(server, `http://${host}:${String(port)}`)
    provider.serve()
    return provider
  }

  /** Registers a redirect URI. */
  allow(redirectUri: string): void {
    this.redirectUris.splice(0, 1, redirectUri)
    this.serve()
  }

  /** Takes assertions that are signed with a key of this URL, and the client secret no more. */
  trustKeys(jwksUri: string): void {
    this.jwksUri = jwksUri
    this.serve()
  }

  /** The address of a page of the provider, with one link: the console of a partner. */
  consoleFor(href: string): string {
    return `${this.issuer}${CONSOLE}?${new URLSearchParams({ href }).toString()}`
  }

  /** Signs somebody in, from the authorization endpoint on. @returns the path that it leads back to */
  async signIn(address: string, name: string): Promise<string> {
    const cookies = new Map<string, string>()
    let next = address
    while (next.startsWith(this.issuer)) {
      const url = new URL(next)
      if (url.pathname.startsWith('/interaction/')) url.searchParams.set('name', name)
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      })
      const text = await response.text()
      for (const line of response.headers.getSetCookie()) {
        const [key = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        cookies.set(key, value)
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`the provider stopped at ${url.pathname}: ${text}`)
      next = new URL(location, this.issuer).href
    }
    const { pathname, search } = new URL(next)
    return pathname + search
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private serve(): void {
    const provider = new Provider(this.issuer, this.configuration())
    const handle = provider.callback()
    this.server.removeAllListeners('request')
    this.server.on('request', (request, reply) => {
      const url = new URL(request.url ?? '', this.issuer)
      if (url.pathname === CONSOLE) {
        const href = (url.searchParams.get('href') ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;')
        reply.writeHead(200, { 'content-type': 'text/html' })
        reply.end(`<!doctype html><title>Console</title><a href="${href}">Location</a>`)
        return
      }
      if (!url.pathname.startsWith('/interaction/')) {
        void handle(request, reply)
        return
      }
      const login = { accountId: url.searchParams.get('name') ?? this.person }
      void provider.interactionFinished(request, reply, { login })
    })
  }

  private configuration(): Configuration {
    return {
      clients: [
        {
          client_id: this.clientId,
          ...(this.jwksUri === undefined
            ? { client_secret: this.clientSecret }
            : { jwks_uri: this.jwksUri, token_endpoint_auth_method: 'private_key_jwt' }),
          redirect_uris: this.redirectUris,
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub', ...Object.keys(this.claims)], email: ['email', 'email_verified'] },
      cookies: { keys: ['cookies of a test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@${this.domain}`, email_verified: true, ...this.claims }),
      }),
      // Nobody is asked whether we may know who they are.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    }
  }
}
