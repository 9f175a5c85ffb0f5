// Prints what devices send, a line of JSON each, until it is stopped.
//
// NATS_URL           such as nats://127.0.0.1:4222
// NATS_NKEY_SEED     of the NATS user, SU…
// STREAM_CONSUMER    made by `bearing admin stream-consumers create`; the name of the NATS user
import { Buffer } from 'node:buffer'
import { jetstream } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'

const { NATS_URL, NATS_NKEY_SEED = '', STREAM_CONSUMER = '' } = process.env
const connection = await connect({
  servers: NATS_URL,
  authenticator: nkeyAuthenticator(Buffer.from(NATS_NKEY_SEED.trim())),
  inboxPrefix: `_INBOX.${STREAM_CONSUMER}`,
})
process.once('SIGTERM', () => void connection.drain())

// A message may come twice: an id that was handled is not handled again.
const handled = new Set()
const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(
  'DEVICE_DATA',
  STREAM_CONSUMER,
)
for await (const message of await consumer.consume()) {
  const data = message.json()
  if (!handled.has(data.id)) console.log(JSON.stringify({ number: message.seq, ...data }))
  handled.add(data.id)
  // After it was handled: what is not acknowledged within 30 s comes again.
  message.ack()
  if (handled.size > 10_000) handled.delete(handled.values().next().value)
}
