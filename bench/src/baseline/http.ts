import { connect } from '@nats-io/transport-node'
import { fastify } from 'fastify'

// The bare pipeline that everything is compared with: Fastify, one NATS request, nothing else.
const connection = await connect({
  servers: process.env['NATS_SERVER'] ?? '',
  user: process.env['NATS_USER'] ?? '',
  pass: process.env['NATS_PASSWORD'] ?? '',
})
const server = fastify()
server.post('/echo', async (request, reply) => {
  const answer = await connection.request('baseline.echo', JSON.stringify(request.body), { timeout: 5_000 })
  return reply.header('content-type', 'application/json').send(answer.string())
})
server.get('/ready', (_request, reply) => reply.send('{}'))
await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
