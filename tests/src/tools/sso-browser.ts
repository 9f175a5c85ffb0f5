import { send, type Reply, type Sent } from './http.js'

/** A browser as far as single sign-on needs one: it keeps the cookies of the gateway, and follows links on request. */
export class SsoBrowser {
  private readonly cookies = new Map<string, string>()

  constructor(readonly gateway: string) {}

  /** The session that it has; undefined where it has none. */
  get cookie(): string | undefined {
    const token = this.cookies.get('__Host-bearing_session')
    return token && `__Host-bearing_session=${token}`
  }

  /** Takes over the session of another browser. */
  static withCookie(gateway: string, cookie: string): SsoBrowser {
    const browser = new SsoBrowser(gateway)
    browser.keep(cookie)
    return browser
  }

  /** Opens a page of the gateway, or sends what a page of Bearing sends. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await send(this.gateway, method, path, {
      ...sent,
      headers: { ...(cookie !== '' && { cookie }), ...sent.headers },
    })
    for (const line of reply.headers.getSetCookie()) this.keep(line.split(';')[0] ?? '')
    return reply
  }

  /** Begins to sign in. @returns the address at the provider */
  async begin(connectionId: string, query = ''): Promise<string> {
    const reply = await this.send('GET', `/auth/sso/${connectionId}/start${query}`)
    if (reply.status !== 302) throw new Error(`the sign-on was not begun: ${reply.text}`)
    return reply.headers.get('location') ?? ''
  }

  /** Signs in at a provider that asks nothing. @returns the path at the gateway that it leads back to */
  async atProvider(address: string): Promise<string> {
    const response = await fetch(address, { redirect: 'manual' })
    await response.arrayBuffer()
    const back = new URL(response.headers.get('location') ?? '')
    return back.pathname + back.search
  }

  /** The whole way. */
  async signIn(connectionId: string, query = ''): Promise<Reply> {
    return this.send('GET', await this.atProvider(await this.begin(connectionId, query)))
  }

  private keep(pair: string): void {
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
