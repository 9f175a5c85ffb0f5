import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The user that the link signs in. */
export interface SignInOptions {
  /** Of the gateway. */
  readonly url: string
  readonly email: string
  readonly password: string
}

export const LINK_MINUTES = 15
const USED = (url: string) =>
  `This link works once, within ${String(LINK_MINUTES)} minutes of the start. Sign in at ${url} with the password DEMO_PASSWORD of .bearing/demo.env, or start again.\n`

/**
 * Serves a link that signs a browser of this machine in, once and for 15 minutes. It signs in as the sign-in page does, with the password,
 * when it is opened: the gateway knows no other way in. A cookie belongs to a host on all of its ports, so the session reaches the
 * gateway. A link that was used or has expired says how else to sign in.
 */
export async function serveSignInLink(options: SignInOptions): Promise<string> {
  let secret: string | undefined = randomBytes(32).toString('base64url')
  setTimeout(() => (secret = undefined), LINK_MINUTES * 60_000).unref()
  const server = createServer((request, response) => {
    const isGood = secret !== undefined && request.method === 'GET' && request.url === `/sign-in/${secret}`
    if (isGood) secret = undefined
    if (!isGood) {
      response.writeHead(410, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(USED(options.url))
      return
    }
    void signIn(options, request).then((cookie) => {
      redirect(response, `${options.url}/app`, cookie)
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as it listens on a port
  return `http://${new URL(options.url).hostname}:${String(port)}/sign-in/${secret}`
}

/** @returns the `Set-Cookie` of the session; undefined if the user cannot sign in with the password alone */
async function signIn(
  { url, email, password }: SignInOptions,
  { headers }: IncomingMessage,
): Promise<string | undefined> {
  try {
    const reply = await fetch(`${url}/auth/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        'user-agent': headers['user-agent'] ?? 'pnpm start',
      },
      body: JSON.stringify({ email, password }),
    })
    return reply.headers.get('set-cookie') ?? undefined
  } catch {
    return undefined
  }
}

function redirect(response: ServerResponse, location: string, cookie: string | undefined): void {
  response.writeHead(303, {
    ...{ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' },
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  })
  response.end()
}
