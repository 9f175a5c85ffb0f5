import { createHash } from 'node:crypto'
import { fastify } from 'fastify'

// The service that a team would write for nginx to ask: is the hash of this token known?
const known = new Set([hashOf(process.env['TOKEN'] ?? '')])
const server = fastify()
server.get('/auth', (request, reply) => {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  return reply.code(scheme === 'Bearer' && known.has(hashOf(token)) ? 204 : 401).send()
})
server.get('/ready', (_request, reply) => reply.send('{}'))
await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
