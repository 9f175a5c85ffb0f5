import { randomBytes } from 'node:crypto'
import { CLAIMS_ALGORITHM } from '@bearing/contracts/identity/jwks'
import { keepEventStreams } from '@bearing/nats/event-streams'
import { EventPublisher } from '@bearing/nats/events'
import { ClaimsVerifier } from '@bearing/service/claims-verifier'
import { OutboxRelay, OutboxTable } from '@bearing/service/outbox-relay'
import { runService, start, type Runtime } from '@bearing/service/run-service'
import { readSettings, type Values } from '@bearing/service/settings'
import { importJWK } from 'jose'
import { v7 } from 'uuid'
import { PublishedKeys } from './claims/published-keys.js'
import { SignClaims } from './claims/sign-claims.js'
import { Clock } from '@bearing/service/clock'
import { CONFIG } from './config.js'
import { Database } from './database.js'
import { IdentityModule } from './identity.module.js'
import { Passwords } from './passwords/passwords.js'
import { Randomness } from '@bearing/service/randomness'
import { Peppers } from './rules/peppers.js'

start(async () => {
  const settings = readSettings(CONFIG, process.env)
  await runService({
    name: 'identity',
    description: 'Who a caller is and what they may act on.',
    settings,
    build: (runtime) => build(settings, runtime),
  })
})

async function build(settings: Values<typeof CONFIG>, { connection, logger }: Runtime) {
  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
  const database = new Database(settings.IDENTITY_DATABASE_URL, settings.DATABASE_POOL)
  const publisher = new EventPublisher(connection)
  const relay = new OutboxRelay(new OutboxTable(database.outboxEvent), publisher, logger)
  const keys = new PublishedKeys(settings.IDENTITY_SIGNING_KEYS)
  const module = IdentityModule.with({
    connection,
    clock,
    randomness,
    database,
    peppers: new Peppers(settings.IDENTITY_PEPPERS),
    passwords: await preparePasswords(settings, clock, randomness),
    signer: await signer(settings, clock, randomness),
    keys,
    relay,
  })
  // Before the first change: without a stream, whoever makes it would wait until publishing is given up.
  await keepEventStreams(connection, (error) => {
    logger.warn({ err: error }, 'the streams of events could not be made; trying again')
  })
  relay.start()
  return {
    module,
    checks: [{ name: 'postgres', check: () => database.$queryRaw`SELECT 1` }],
    // Identity has the keys itself; asking over NATS could ask another replica, with other keys.
    verifyClaims: new ClaimsVerifier(() => Promise.resolve(keys.jwks)).verify,
    close: async () => {
      await relay.stop()
      await database.$disconnect()
    },
  }
}

function preparePasswords(
  settings: Values<typeof CONFIG>,
  clock: Clock,
  randomness: Randomness,
): Promise<Passwords> {
  return Passwords.prepare(
    {
      memoryKib: settings.PASSWORD_HASH_MEMORY_KIB,
      passes: settings.PASSWORD_HASH_PASSES,
      lanes: settings.PASSWORD_HASH_LANES,
    },
    { concurrency: settings.PASSWORD_HASH_CONCURRENCY, waiting: settings.PASSWORD_HASH_WAITING },
    clock,
    randomness,
  )
}

async function signer(
  settings: Values<typeof CONFIG>,
  clock: Clock,
  randomness: Randomness,
): Promise<SignClaims> {
  const [key] = settings.IDENTITY_SIGNING_KEYS
  const privateKey = await importJWK({ ...key }, CLAIMS_ALGORITHM)
  return new SignClaims(privateKey, key.kid, settings.CLAIMS_LIFETIME_S, clock, randomness)
}
