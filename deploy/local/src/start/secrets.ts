import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { NATS_USER_NAMES, type NatsUserName } from '@bearing/contracts/nats/nats-users'
import { newNkey } from '@bearing/nats/nkey'
import { SERVICES, type Service } from '@bearing/prisma/services'
import { writePrivateFile } from './state-directory.js'

/** Secrets that a local Bearing stores. */
export interface Secrets {
  /** Passwords of the database's superuser and of the role of each service. */
  postgres: string
  readonly databases: Record<Service, string>
  /** Seeds of the nkeys that services prove to NATS who they are with. */
  readonly nkeys: Record<NatsUserName, string>
  /** Private Ed25519 key that claims are signed with, as a JSON Web Key Set. */
  signing_keys: string
  /** `<id>:<base64>`, peppers that credentials are hashed with. */
  peppers: string
  /** `<id>:<base64>`, keys that secrets of webhooks are sealed under, and URLs of uploads signed with. */
  secret_keys: string
  /** `<id>:<base64>`, keys that the keys of fallbacks are sealed under. */
  location_secret_keys: string
  demo: { email: string; password: string; user_key?: string; organization_token?: string }
}

const password = () => randomBytes(24).toString('base64url')

/** Reads the secrets; makes those that are missing. */
export function readSecrets(path: string): Secrets {
  const known = read(path)
  const secrets: Secrets = {
    postgres: password(),
    signing_keys: newSigningKeys(),
    peppers: `1:${randomBytes(32).toString('base64')}`,
    secret_keys: `1:${randomBytes(32).toString('base64')}`,
    location_secret_keys: `1:${randomBytes(32).toString('base64')}`,
    demo: { email: 'demo@bearing.example', password: password() },
    ...known,
    databases: { ...each(SERVICES, password), ...known.databases },
    nkeys: { ...each(NATS_USER_NAMES, () => newNkey().seed), ...known.nkeys },
  }
  writeSecrets(path, secrets)
  return secrets
}

function each<Name extends string>(names: readonly Name[], make: () => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, string> // one for each
}

/** Keeps the secrets. */
export function writeSecrets(path: string, secrets: Secrets): void {
  writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`)
}

function read(path: string): Partial<Secrets> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  try {
    // Written by writeSecrets; before services had nkeys, with the password that all of them shared.
    const { nats: _, ...known } = JSON.parse(text) as Partial<Secrets> & { nats?: string }
    return known
  } catch {
    throw new Error(`${path} is damaged. Delete the folder it is in to start afresh.`)
  }
}

function newSigningKeys(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const kid = randomBytes(6).toString('base64url')
  return JSON.stringify({
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }],
  })
}
