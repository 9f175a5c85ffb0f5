import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { ServiceName } from './addresses.js'
import type { Database } from './databases.js'
import type { NatsInfrastructure } from './infrastructure.js'

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string>>

/** Settings that the services of one stack share. */
export interface Surroundings {
  readonly nats: Omit<NatsInfrastructure, 'launch'>
  readonly database: Database
  /** Redis in which gateways and identity share their rate limits; undefined if each counts alone. */
  readonly redisUrl: string | undefined
  /** Private keys that identity signs with: a JSON Web Key Set. */
  readonly signingKeys: string
  /** Keys that identity hashes secrets with: `<id>:<base64>`. */
  readonly peppers: string
  /** Keys that management and location seal secrets of webhooks and keys of fallbacks under; management also signs uploads: `<id>:<base64>`. */
  readonly secretKeys: string
}

/** Makes the secrets of the services: of identity one Ed25519 key and one pepper of 32 bytes, of management and location a key of as many. */
export function newSecrets(): Pick<Surroundings, 'signingKeys' | 'peppers' | 'secretKeys'> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'test-1', alg: 'EdDSA', use: 'sig' }
  return {
    signingKeys: JSON.stringify({ keys: [key] }),
    peppers: `1:${randomBytes(32).toString('base64')}`,
    secretKeys: `1:${randomBytes(32).toString('base64')}`,
  }
}

/** As cheap as allowed: tests prove that passwords are checked, not how long that takes. */
const CHEAP_PASSWORDS: Constants = {
  PASSWORD_HASH_MEMORY_KIB: 7_168,
  PASSWORD_HASH_PASSES: 1,
  PASSWORD_HASH_SHARE: 100,
}

/** Constants of a service that a test changes, by name (`CONSTANTS` in the `config.ts` of the app). */
export type Constants = Readonly<Record<string, number | readonly number[]>>

/** Returns the environment that a service or gateway is started with. */
export function serviceEnvironment(
  service: ServiceName | 'gateway',
  healthPort: number,
  surroundings: Surroundings,
  constants: Constants = {},
): Environment {
  const changed = {
    ...(service === 'identity' && CHEAP_PASSWORDS),
    // All suites come from one address, and many present wrong credentials on purpose.
    ...(service === 'gateway' && { FAILED_CREDENTIALS_PER_ADDRESS: 1_000_000 }),
    // Nothing is under way when a test erases.
    ...(service === 'management' && { ERASURE_SETTLE_S: 1 }),
    ...constants,
  }
  return {
    NODE_ENV: 'test',
    TEST_CONSTANTS: JSON.stringify(changed),
    NATS_URL: surroundings.nats.url,
    NATS_NKEY_SEED: surroundings.nats.nkeySeeds[service],
    // Most of what could hold a secret by mistake is only logged here.
    LOG_LEVEL: 'debug',
    HOST: '127.0.0.1',
    HEALTH_PORT: String(healthPort),
    ...ownEnvironment(service, surroundings),
  }
}

function ownEnvironment(service: ServiceName | 'gateway', surroundings: Surroundings): Environment {
  const { database, redisUrl, signingKeys, peppers, secretKeys } = surroundings
  const counted = redisUrl === undefined ? {} : { REDIS_URL: redisUrl }
  switch (service) {
    case 'gateway':
      return {
        // As for wrong credentials, all suites come from one address.
        REQUESTS_OF_STRANGERS: '1000000',
        ...counted,
      }
    case 'identity':
      return {
        IDENTITY_DATABASE_URL: database.serviceUrls.identity,
        IDENTITY_SIGNING_KEYS: signingKeys,
        IDENTITY_PEPPERS: peppers,
        // Printed and never read: suites that read mails start a stack with a mail server.
        PUBLIC_URL: 'https://bearing.example.com',
        SMTP_URL: 'log:',
        ...counted,
        // The providers of the tests are on this machine.
        SSO_ALLOW_PRIVATE_ISSUERS: 'yes',
      }
    case 'management':
      return {
        MANAGEMENT_DATABASE_URL: database.serviceUrls.management,
        MANAGEMENT_SECRET_KEYS: secretKeys,
        // The receivers of the tests are on this machine.
        WEBHOOK_PRIVATE_RANGES: '127.0.0.0/8',
      }
    case 'location':
      return {
        LOCATION_DATABASE_URL: database.serviceUrls.location,
        LOCATION_SECRET_KEYS: secretKeys,
        // The fallbacks of the tests are on this machine.
        LOCATION_FALLBACK_PRIVATE_RANGES: '127.0.0.0/8',
        ...counted,
      }
  }
}
