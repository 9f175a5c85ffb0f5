import { createServer } from 'node:http'
import { connect } from '@nats-io/transport-node'

// Answers what it was asked, after reading it: the least a service can do.
const connection = await connect({
  servers: process.env['NATS_SERVER'] ?? '',
  user: process.env['NATS_USER'] ?? '',
  pass: process.env['NATS_PASSWORD'] ?? '',
})
connection.subscribe('baseline.echo', {
  queue: 'echo',
  callback: (error, message) => {
    if (!error) message.respond(JSON.stringify(message.json()))
  },
})
createServer((_request, response) => {
  response.end('{}')
}).listen(Number(process.env['PORT']), '127.0.0.1')
