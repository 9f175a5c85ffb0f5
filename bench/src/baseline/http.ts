import { jetstream, jetstreamManager } from '@nats-io/jetstream'
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
// Baseline of chunks: the same stored by JetStream, and nothing else.
const manager = await jetstreamManager(connection)
// Bounded by messages: Bearing's streams have reserved all bytes that JetStream may store.
await manager.streams.add({ name: 'BASELINE', subjects: ['baseline.store'], max_msgs: 100_000 })
const client = jetstream(connection)
server.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
server.post('/store', async (request, reply) => {
  await client.publish('baseline.store', request.body as Buffer)
  return reply.code(202).header('content-type', 'application/json').send('{"data":{"chunks":1}}')
})
// Baseline of uploads: the parts of a body, stored by JetStream one after the other.
await manager.streams.add({ name: 'BASELINE_OBJECTS', subjects: ['baseline.object'] })
const PART_BYTES = 512 * 1024
void server.register((scope, _options, done) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, parsed) => {
    parsed(null)
  })
  scope.put('/object', async (request) => {
    let [parts, length]: [Buffer[], number] = [[], 0]
    for await (const bytes of request.raw as AsyncIterable<Buffer>) {
      parts.push(bytes)
      length += bytes.length
      if (length < PART_BYTES) continue
      await client.publish('baseline.object', Buffer.concat(parts))
      parts = []
      length = 0
    }
    if (length > 0) await client.publish('baseline.object', Buffer.concat(parts))
    return {}
  })
  done()
})
server.get('/ready', (_request, reply) => reply.send('{}'))
await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
