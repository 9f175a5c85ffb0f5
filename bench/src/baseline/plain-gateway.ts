import {
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { fastify } from 'fastify'

// The gateway without authentication, limits, claims, metrics and logs: Fastify hands the body on to the location
// service, as one and the same caller.
/** Claims are valid for a minute. */
const RENEW_MS = 15_000
const credential = JSON.parse(process.env['CREDENTIAL'] ?? '') as PresentedCredential
const over = JSON.parse(process.env['SCOPE'] ?? '') as Record<string, unknown>
const connection = await connectNats({ url: process.env['NATS_URL'] ?? '', name: 'bench-plain' })
const client = new NatsClient(connection)
let claims = await freshClaims()
setInterval(() => {
  void freshClaims().then((fresh) => (claims = fresh))
}, RENEW_MS)

const server = fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
server.post('/locate', async (request, reply) => {
  const location = await client.handOn(
    resolveWifiLocation,
    { json: request.body as Buffer, over }, // the only content type parser keeps the bytes
    { claims },
  )
  return reply.header('content-type', 'application/json').send(location)
})
server.get('/ready', (_request, reply) => reply.send('{}'))
await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })

async function freshClaims(): Promise<string> {
  const answer = await client.call(introspectCredential, { ...credential, audience: 'location' })
  if (!answer.active || answer.claims === undefined) throw new Error('the token of the bench is not active')
  return answer.claims
}
