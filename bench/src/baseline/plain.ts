import { fastify } from 'fastify'

// What a team would put behind a proxy of its own: an echo, nothing else.
const server = fastify()
server.post('/echo', (request, reply) => reply.send(request.body))
server.get('/ready', (_request, reply) => reply.send('{}'))
await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
