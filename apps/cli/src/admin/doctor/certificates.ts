import { once } from 'node:events'
import { connect } from 'node:tls'
import type { Check, Finding } from './check.js'

/** A certificate that expires earlier than in so many days was not renewed: who renews does so weeks before. */
const LEAST_DAYS = 7
const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000

/** Reads the certificate that clients of the gateways see, where the URL is known and has one. */
export const certificates: Check = {
  name: 'certificates',
  run: async ({ cli }) => {
    const url = URL.parse(cli.terminal.environment.settings.url ?? '')
    return url?.protocol === 'https:' ? [await examine(url, cli.terminal.now())] : []
  },
}

async function examine(url: URL, nowMs: number): Promise<Finding> {
  const subject = url.host
  const read = await readCertificate(url).catch((error: unknown) => String(error))
  // A network policy may keep this machine from the address that clients use.
  if (typeof read === 'string')
    return { subject, ok: true, detail: `not checked: ${read}`, data: { url: url.href } }
  const days = Math.floor((read.expiresAt.getTime() - nowMs) / DAY_MS)
  const expires = `expires on ${read.expiresAt.toISOString().slice(0, 10)}`
  const untrusted = read.refusal === undefined ? '' : `, not trusted from here: ${read.refusal}`
  return {
    subject,
    ok: days >= LEAST_DAYS,
    detail: `${expires}${days < LEAST_DAYS ? ', renew it' : ''}${untrusted}`,
    data: { url: url.href, expires_at: read.expiresAt.toISOString(), refusal: read.refusal ?? null },
  }
}

async function readCertificate({ hostname, port }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    ...{ host, port: port === '' ? 443 : Number(port), timeout: TIMEOUT_MS },
    // Nothing is sent: an expired certificate has to be read, too.
    rejectUnauthorized: false,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  })
  socket.on('timeout', () => socket.destroy(new Error('no answer within 5 s')))
  try {
    await once(socket, 'secureConnect')
    const { valid_to } = socket.getPeerCertificate()
    const refusal = socket.authorized ? undefined : String(socket.authorizationError)
    return { expiresAt: new Date(valid_to), refusal }
  } finally {
    socket.destroy()
  }
}
